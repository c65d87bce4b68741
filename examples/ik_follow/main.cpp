// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    using namespace ulna;
    // 1. A character, and one solver for its left hand that stays on its branch.
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 3;
    }
    const Skeleton& body = rig->skeleton;
    const JointId hand = body.find("LeftHand");
    Result<IkSolver> solver =
        IkSolver::make(body, {{PositionGoal{.joint = hand}}},
                       {.continuity = true, .chain = body.find("LeftShoulder")});
    if (!solver) {
        std::fprintf(stderr, "%s\n", describe(solver.error()).c_str());
        return 1;
    }
    Vec3& target = std::get<PositionGoal>(solver->goals()[0].kind).target;

    // 2. Two rounds of a circle in front of the chest, 120 steps each; every step starts from the
    // answer of the last. The first steps bring the hand there.
    DofVector dofs(body.dofCount(), 0.0), last;
    ModelPose model;
    double worst_error = 0.0, worst_change = 0.0;
    for (int step = -10; step <= 240; ++step) {
        const double angle = 2.0 * kPi * std::max(step, 0) / 120.0;
        target = {0.35 + 0.1 * std::cos(angle), 1.3 + 0.1 * std::sin(angle), 0.3};
        last = dofs;
        solver->solve(dofs);
        if (step < 1) continue;

        // 3. Judge by forward kinematics.
        computeModelPose(body, computePose(body, dofs), model);
        worst_error = std::max(worst_error, distance(model.position(hand), target));
        for (std::size_t d = 0; d < dofs.size(); ++d)
            worst_change = std::max(worst_change, std::abs(dofs[d] - last[d]));
    }
    std::printf("240 steps: largest error %.1e m, largest joint change per step %.1f degrees\n",
                worst_error, degrees(worst_change));
    return 0;
}
