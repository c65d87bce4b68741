// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. Joints in any order; each names its parent.
    JointDef chest{.name = "chest", .kind = JointKind::Free, .rest = {.translation = {0, 1.4, 0}}};
    JointDef shoulder{.name = "shoulder", .parent = "chest", .rest = {.translation = {0.2, 0, 0}}};
    shoulder.cone = ConeLimit{.axis = {1, 0, 0}, .swing_max = radians(100)};
    JointDef elbow{.name = "elbow", .parent = "shoulder", .kind = JointKind::Hinge};
    elbow.rest.translation = {0.15, 0, 0};
    elbow.axes[0] = {0, -1, 0};                    // positive angles bend forward
    elbow.limits[0] = {radians(0), radians(150)};  // and only forward
    JointDef hand{.name = "hand",
                  .parent = "elbow",
                  .kind = JointKind::Fixed,
                  .rest = {.translation = {0.25, 0, 0}}};
    const Result<Skeleton> skeleton = makeSkeleton({hand, elbow, shoulder, chest});
    if (!skeleton) {
        std::fprintf(stderr, "%s\n", describe(skeleton.error()).c_str());
        return 1;
    }

    // 2. One number per degree of freedom; 3. limits hold there.
    DofVector dofs(skeleton->dofCount(), 0.0);
    dofs[skeleton->firstDof(skeleton->find("elbow"))] = radians(-30);
    for (const JointId joint : clampToLimits(*skeleton, dofs)) {
        std::printf("%s was outside its limits\n", skeleton->name(joint).c_str());
    }
    dofs[skeleton->firstDof(skeleton->find("elbow"))] = radians(90);

    // 4. Coordinates to a pose, a pose to positions.
    const ModelPose model = computeModelPose(*skeleton, computePose(*skeleton, dofs));
    const Vec3 p = model.position(skeleton->find("hand"));
    std::printf("hand at %.2f %.2f %.2f\n", p.x, p.y, p.z);
    return 0;
}
