// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    using namespace ulna;
    // 1. A character with limits and hips that may go anywhere.
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 3;
    }
    const Skeleton& body = rig->skeleton;
    const ModelPose standing = computeModelPose(body, restPose(body));

    // 2. Pins: each foot's position and orientation as they are, at level 1. Hands at level 2.
    std::vector<IkGoal> goals;
    for (const char* name : {"LeftFoot", "RightFoot"}) {
        const JointId foot = body.find(name);
        goals.push_back({PositionGoal{.joint = foot, .target = standing.position(foot)}});
        goals.push_back({OrientationGoal{.joint = foot, .target = rotationOf(standing[foot])}});
    }
    const std::size_t first_hand = goals.size();
    for (const char* name : {"LeftHand", "RightHand"})
        goals.push_back({.kind = PositionGoal{.joint = body.find(name)}, .level = 2});
    Result<IkSolver> solver = IkSolver::make(body, goals);
    if (!solver) {
        std::fprintf(stderr, "%s\n", describe(solver.error()).c_str());
        return 1;
    }

    // 3. The hands go for something on the floor, then for something far away.
    for (const double forward : {0.4, 2.0}) {
        const double side[] = {0.15, -0.15};
        for (std::size_t i = 0; i < 2; ++i) {
            std::get<PositionGoal>(solver->goals()[first_hand + i].kind).target = {side[i], 0.4,
                                                                                   forward};
        }
        DofVector dofs(body.dofCount(), 0.0);
        const IkReport& report = solver->solve(dofs);

        // 4. Judge by forward kinematics.
        const ModelPose model = computeModelPose(body, computePose(body, dofs));
        double feet = 0.0, hands = 0.0;
        for (const IkGoal& goal : solver->goals()) {
            const auto* position = std::get_if<PositionGoal>(&goal.kind);
            if (position == nullptr) continue;
            double& worst = goal.level == 1 ? feet : hands;
            worst = std::max(worst, distance(model.position(position->joint), position->target));
        }
        std::printf("%.1f m ahead: %s, feet moved by %.1e m, hands off by %.4f m, hips at %.2f m\n",
                    forward, std::string(ikStatusName(report.status)).c_str(), feet, hands,
                    model.position(body.find("Hips")).y);
    }
    return 0;
}
