// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    using namespace ulna;
    // 1. A character whose neck and head have limits.
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 3;
    }
    const Skeleton& body = rig->skeleton;
    const JointId head = body.find("Head");

    // 2. The head's z axis, from between its eyes, should point at a position. Only the neck and
    // what is above it move.
    const Vec3 axis{0, 0, 1};
    const Vec3 eye{0, 0.07, 0.075};
    Result<IkSolver> solver = IkSolver::make(
        body, {{AimGoal{.joint = head, .axis = axis, .eye = eye}}}, {.chain = body.find("Neck")});
    if (!solver) {
        std::fprintf(stderr, "%s\n", describe(solver.error()).c_str());
        return 1;
    }

    // 3. Something on the left, something low on the right, something right behind.
    for (const Vec3 target : {Vec3{2, 1.8, 2}, Vec3{-1, 0.5, 1}, Vec3{0.2, 1.6, -2}}) {
        std::get<AimGoal>(solver->goals()[0].kind).target = target;
        DofVector dofs(body.dofCount(), 0.0);
        const IkReport& report = solver->solve(dofs);

        // 4. Judge by forward kinematics: the angle between where the head faces and the target.
        const ModelPose model = computeModelPose(body, computePose(body, dofs));
        const Vec3 facing = rotate(rotationOf(model[head]), axis);
        const Vec3 sight = target - model[head] * eye;
        const double off = std::atan2(length(cross(facing, sight)), dot(facing, sight));
        std::printf("target %4.1f %4.1f %4.1f: %-12s off by %6.3f degrees\n", target.x, target.y,
                    target.z, std::string(ikStatusName(report.status)).c_str(), degrees(off));
    }
    return 0;
}
