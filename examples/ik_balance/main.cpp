// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/masses.h"

int main(int argc, char** argv) {
    using namespace ulna;
    // 1. A character with limits and hips that may go anywhere, and the masses of its joints.
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 3;
    }
    const Skeleton& body = rig->skeleton;
    const Result<std::vector<JointMass>> masses = humanMasses(body);
    if (!masses) {
        std::fprintf(stderr, "%s\n", describe(masses.error()).c_str());
        return 1;
    }

    // 2. Feet that stay as they are, and a hand that reaches far forward.
    const ModelPose standing = computeModelPose(body, restPose(body));
    BalanceGoal balance{.masses = *masses, .margin = 0.02};
    std::vector<IkGoal> goals;
    for (const char* side : {"Left", "Right"}) {
        const JointId foot = body.find(std::string(side) + "Foot");
        const JointId toes = body.find(std::string(side) + "ToeBase");
        goals.push_back({PositionGoal{.joint = foot, .target = standing.position(foot)}});
        goals.push_back({OrientationGoal{.joint = foot, .target = rotationOf(standing[foot])}});
        balance.contacts.push_back({.joint = foot});
        balance.contacts.push_back({.joint = toes});
    }
    goals.push_back({PositionGoal{.joint = body.find("LeftHand"), .target = {0.1, 0.7, 0.75}}});

    // 3. The same without and with the goal that the centre of mass is over the feet.
    for (const bool balanced : {false, true}) {
        if (balanced) goals.push_back({balance});
        DofVector dofs(body.dofCount(), 0.0);
        const Result<IkReport> report = solveIk(body, goals, {}, dofs);
        if (!report) {
            std::fprintf(stderr, "%s\n", describe(report.error()).c_str());
            return 1;
        }

        // 4. Judge by forward kinematics.
        const ModelPose model = computeModelPose(body, computePose(body, dofs));
        std::printf(
            "%s balance: %s, the centre of mass is %.3f m in front of the ankles, the toes "
            "%.3f m\n",
            balanced ? "with" : "without", std::string(ikStatusName(report->status)).c_str(),
            centreOfMass(*masses, model).z - model.position(body.find("LeftFoot")).z,
            model.position(body.find("LeftToeBase")).z - model.position(body.find("LeftFoot")).z);
    }
    return 0;
}
