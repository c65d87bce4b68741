// SPDX-License-Identifier: Apache-2.0
#include "support/anatomy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {

AnatomicalRig makeRig(const Skeleton& skeleton, const Pose& t_pose) {
    Result<AnatomicalRig> rig = makeAnatomicalRig(skeleton, t_pose);
    EXPECT_TRUE(rig.ok()) << (rig ? "" : describe(rig.error()));
    return rig ? *std::move(rig) : AnatomicalRig{};
}
AnatomicalRig makeRig(const Skeleton& skeleton) {
    return makeRig(skeleton, restPose(skeleton));
}

std::map<std::string, std::string> partsByName(const AnatomicalRig& rig) {
    std::map<std::string, std::string> out;
    for (const RecognisedJoint& r : rig.recognised)
        out[rig.skeleton.name(r.joint)] = std::string(r.part);
    return out;
}

NameFamily mixamo() {
    return nameFamilies().front();
}

JointId findPart(const AnatomicalRig& rig, std::string_view part) {
    for (const RecognisedJoint& r : rig.recognised) {
        if (r.part == part) return r.joint;
    }
    ADD_FAILURE() << "no " << part;
    return JointId::None;
}

std::size_t dofOf(const Skeleton& skeleton, JointId j, AnatomicalAxis movement) {
    const std::array<int, 3> axes = eulerAxes(skeleton.joint(j).order);
    for (std::size_t k = 0; k < 3; ++k) {
        if (axes[k] == static_cast<int>(movement)) return skeleton.firstDof(j) + k;
    }
    return 0;
}

Vec3 placeOf(const AnatomicalRig& rig, const DofVector& dofs, JointId j) {
    return computeModelPoint(rig.skeleton, computePose(rig.skeleton, dofs), j, {});
}

Pose randomPose(const Skeleton& skeleton, Random& random, double angle, double stretch) {
    Pose pose = restPose(skeleton);
    for (const JointId j : skeleton.joints()) {
        if (skeleton.kind(j) == JointKind::Fixed) continue;
        Trs& t = pose.parent_from_joint[index(j)];
        t.rotation = t.rotation * quatExp(random.direction() * random.between(0.0, angle));
        t.translation += random.direction() * random.between(0.0, stretch);
    }
    return pose;
}

double excessAt(const Skeleton& skeleton, const DofVector& dofs, JointId j) {
    double excess = 0.0;
    for (std::size_t d = skeleton.firstDof(j); d < skeleton.firstDof(j) + skeleton.dofCount(j);
         ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        excess = std::max({excess, dofs[d] - limit.max, limit.min - dofs[d]});
    }
    return excess;
}

}  // namespace ulna::test
