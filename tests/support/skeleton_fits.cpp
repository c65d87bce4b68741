// SPDX-License-Identifier: Apache-2.0
#include "support/skeleton_fits.h"

#include <gtest/gtest.h>

#include "support/fit.h"
#include "support/skeletons.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::test {

Mesh meshAround(const Skeleton& skeleton, std::size_t vertices, Random& random) {
    FitRig rig;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
        rig.points.push_back({.rest = rest.position(jointId(j))});
    Mesh mesh;
    for (std::size_t i = 0; i < vertices; ++i) {
        Vec3 side = random.direction() * random.between(0.05, 0.2);
        if (skeleton.planar()) side.z = 0.0;
        const Vec3 place = rig.points[i % rig.points.size()].rest + side;
        mesh.positions.push_back(cast<float>(place));
        rig.vertices.push_back(widened(mesh.positions.back()));
    }
    weighByDistance(rig, 3);
    mesh.weights = rig.weights;
    return mesh;
}

std::vector<Vec3> skinOf(const Skeleton& skeleton, const Mesh& mesh, const Pose& pose) {
    return deformReference(skeleton, mesh, computeModelPose(skeleton, pose)).positions;
}

SkeletonFitter makeSkeletonFitter(const Skeleton& skeleton, const Mesh& mesh,
                                  const SkeletonFitOptions& options) {
    Result<SkeletonFitter> fitter = SkeletonFitter::make(skeleton, mesh, options);
    EXPECT_TRUE(fitter.ok());
    return *fitter;
}

Skeleton limitedArm() {
    JointDef root = joint("root", "", JointKind::Free, {0, 0, 0});
    JointDef shoulder = joint("shoulder", "root", JointKind::Ball, {0.2, 0.4, 0});
    shoulder.cone = ConeLimit{{1, 0, 0}, radians(60.0), radians(-40.0), radians(40.0)};
    JointDef elbow = joint("elbow", "shoulder", JointKind::Hinge, {0.3, 0, 0});
    elbow.axes[0] = {0, 0, 1};
    elbow.limits[0] = {0.0, radians(140.0)};
    JointDef wrist = joint("wrist", "elbow", JointKind::Ball, {0.25, 0, 0});
    for (std::size_t k = 0; k < 3; ++k) wrist.limits[k] = {radians(-30.0), radians(30.0)};
    JointDef fingers = joint("fingers", "wrist", JointKind::Universal, {0.1, 0, 0});
    fingers.limits[0] = {radians(-20.0), radians(80.0)};
    return build({root, shoulder, elbow, wrist, fingers});
}

DofVector clampedDofs(const Skeleton& skeleton, Random& random) {
    DofVector dofs = randomDofs(skeleton, random, 0.8);
    clampToLimits(skeleton, dofs);
    return dofs;
}

}  // namespace ulna::test
