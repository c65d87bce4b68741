// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/bones.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

std::vector<BoneSegment> makeBoneSegments(const Skeleton& skeleton, const Mesh& mesh) {
    std::vector<Affine> bind_from_joint;
    for (const Affine& joint_from_bind : bindMatrices(skeleton, mesh))
        bind_from_joint.push_back(inverse(joint_from_bind));
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    // Radii are lengths of the model; the mesh may have another unit.
    const auto radiusOf = [&](JointId joint) {
        const double model = length(rest[joint].column(0));
        const double own = length(bind_from_joint[index(joint)].column(0));
        return skeleton.radius(joint) * (model > 0.0 ? own / model : 1.0);
    };
    std::vector<BoneSegment> out;
    for (const JointId joint : skeleton.joints()) {
        if (skeleton.isEndSite(joint)) continue;
        const Vec3 tail = bind_from_joint[index(joint)].translation();
        const std::vector<JointId> children = skeleton.children(joint);
        for (const JointId child : children) {
            const Vec3 tip = bind_from_joint[index(child)].translation();
            out.push_back({joint, tail, tip, radiusOf(joint)});
        }
        if (children.empty()) {
            const Vec3 tip = bind_from_joint[index(joint)] * skeleton.tip(joint);
            out.push_back({joint, tail, tip, radiusOf(joint)});
        }
    }
    return out;
}

Vec3 closestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 along = b - a;
    const double squared = dot(along, along);
    if (!(squared > 0.0)) return a;
    return a + along * std::clamp(dot(p - a, along) / squared, 0.0, 1.0);
}

}  // namespace ulna
