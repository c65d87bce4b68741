// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. An arm: a shoulder within a cone, an elbow that bends one way only.
    JointDef shoulder{.name = "shoulder"};
    shoulder.cone = ConeLimit{.axis = {1, 0, 0}, .swing_max = radians(100)};
    JointDef elbow{.name = "elbow", .parent = "shoulder", .kind = JointKind::Hinge};
    elbow.rest.translation = {0.30, 0, 0};
    elbow.axes[0] = {0, -1, 0};
    elbow.limits[0] = {radians(0), radians(150)};
    JointDef hand{.name = "hand",
                  .parent = "elbow",
                  .kind = JointKind::Fixed,
                  .rest = {.translation = {0.25, 0, 0}}};
    const Result<Skeleton> arm = makeSkeleton({shoulder, elbow, hand});
    if (!arm) {
        std::fprintf(stderr, "%s\n", describe(arm.error()).c_str());
        return 1;
    }

    // 2. One goal: a position for the hand. The second target is out of the arm's reach.
    for (const Vec3 target : {Vec3{0.2, 0.1, 0.3}, Vec3{0.4, 0.3, 0.6}}) {
        const IkGoal goal{PositionGoal{.joint = arm->find("hand"), .target = target}};
        // 3. Solve from the rest pose; an error would be a goal that makes no sense.
        DofVector dofs(arm->dofCount(), 0.0);
        const Result<IkReport> report = solveIk(*arm, {&goal, 1}, {}, dofs);
        if (!report) {
            std::fprintf(stderr, "%s\n", describe(report.error()).c_str());
            return 1;
        }
        // 4. Judge by forward kinematics, not by what the solver says of itself.
        const ModelPose model = computeModelPose(*arm, computePose(*arm, dofs));
        const double off = distance(model.position(arm->find("hand")), target);
        std::printf(
            "target %.1f %.1f %.1f: %s after %d iterations, hand off by %.4f, elbow %.0f "
            "degrees, limits exceeded by %.0e\n",
            target.x, target.y, target.z, std::string(ikStatusName(report->status)).c_str(),
            report->iterations, off, degrees(dofs[arm->firstDof(arm->find("elbow"))]),
            limitExcess(*arm, dofs));
    }
    return 0;
}
