// SPDX-License-Identifier: Apache-2.0
#include "support/random_fits.h"

#include <algorithm>

#include "support/plain_matrix.h"
#include "support/random_rigs.h"
#include "ulna/skeleton/state.h"

namespace ulna::test {
namespace {

// A short vector, in the plane of a planar skeleton.
Vec3 beside(Random& random, const Skeleton& rig, double radius) {
    const Vec3 v = inBall(random, radius);
    return rig.planar() ? Vec3{v.x, v.y, 0.0} : v;
}

// Vertices around every joint, of the joint alone or shared with its parent.
Mesh randomSkin(Random& random, const Skeleton& rig) {
    constexpr std::size_t kPerJoint = 20;
    const std::vector<PlainMatrix> rest = plainModel(rig, restPose(rig));
    Mesh mesh;
    for (const JointId joint : rig.joints()) {
        const JointId parent = rig.parent(joint);
        for (std::size_t i = 0; i < kPerJoint; ++i) {
            const Vec3 side = beside(random, rig, 0.3);
            mesh.positions.push_back(cast<float>(rest[index(joint)].origin() + side));
            std::vector<Influence> row = {{joint, 1.0F}};
            if (parent != JointId::None && chance(random, 0.5))
                row = {{joint, 0.75F}, {parent, 0.25F}};
            mesh.weights.addRow(row);
        }
    }
    return mesh;
}

}  // namespace

std::vector<Vec3> plainSkin(const Skeleton& rig, const Mesh& mesh, const Pose& pose) {
    const std::vector<PlainMatrix> rest = plainModel(rig, restPose(rig));
    std::vector<PlainMatrix> moved = plainModel(rig, pose);
    for (std::size_t j = 0; j < moved.size(); ++j) moved[j] = moved[j] * plainInverse(rest[j]);
    std::vector<Vec3> out;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& bind = mesh.positions[v];
        const Vec3 position = {double{bind.x}, double{bind.y}, double{bind.z}};
        Vec3 sum;
        for (const Influence& influence : mesh.weights[v]) {
            sum += moved[index(influence.joint)].point(position) * double{influence.weight};
        }
        out.push_back(sum);
    }
    return out;
}

RandomFit randomFit(std::uint64_t seed) {
    Random random(seed);
    RandomRigOptions rig_options = randomRigOptions(random);
    rig_options.scales = false;
    rig_options.most_joints = std::min<std::size_t>(rig_options.most_joints, 25);
    RandomFit out{.rig = randomRig(random, rig_options)};
    out.mesh = randomSkin(random, out.rig);
    out.options.move_roots = chance(random, 0.5);
    DofVector start(out.rig.dofCount()), truth = randomAllowedDofs(random, out.rig);
    clampToLimits(out.rig, start);
    for (std::size_t d = 0; d < truth.size(); ++d)
        if (out.rig.joint(out.rig.jointOfDof(d)).locked) truth[d] = start[d];
    out.start = computePose(out.rig, start);
    out.truth = computePose(out.rig, truth);
    out.exact = chance(random, 0.5);
    out.targets = plainSkin(out.rig, out.mesh, out.truth);
    for (Vec3& target : out.targets)
        if (!out.exact) target += beside(random, out.rig, 0.3);
    return out;
}

double largestMotion(const Skeleton& rig, const Pose& a, const Pose& b, double size) {
    double most = 0.0;
    for (const JointId j : rig.joints()) {
        const PlainMatrix from = plainTransform(a[j]), to = plainTransform(b[j]);
        most = std::max({most, plainAngle(withoutScale(from), withoutScale(to)),
                         distance(from.origin(), to.origin()) / size});
    }
    return most;
}

}  // namespace ulna::test
