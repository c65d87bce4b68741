// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>

#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. Five links of length 1 in the plane, each hinge within a right angle of straight.
    std::vector<JointDef> joints;
    for (int i = 0; i <= 5; ++i) {
        JointDef joint{.name = "j" + std::to_string(i),
                       .parent = i == 0 ? "" : "j" + std::to_string(i - 1),
                       .kind = i < 5 ? JointKind::Hinge : JointKind::Fixed};
        joint.rest.translation = {i == 0 ? 0.0 : 1.0, 0, 0};
        joint.axes[0] = {0, 0, 1};
        if (i < 5) joint.limits[0] = {radians(-90), radians(90)};
        joints.push_back(joint);
    }
    const Result<Skeleton> chain = makeSkeleton(joints, {.planar = true});
    if (!chain) {
        std::fprintf(stderr, "%s\n", describe(chain.error()).c_str());
        return 1;
    }
    const JointId tip = chain->find("j5");

    // 2. The same goals and solvers as in space: a position for the tip, with z = 0, and a
    // direction for it. Straight is a singular start, and an ordinary one here.
    const std::vector<IkGoal> goals = {
        {PositionGoal{.joint = tip, .target = {1.5, 2.5, 0}}},
        {OrientationGoal{.joint = tip, .target = quatAboutAxis(2, radians(180))}}};
    DofVector dofs(chain->dofCount(), 0.0);
    const Result<IkReport> report = solveIk(*chain, goals, {}, dofs);
    if (!report) {
        std::fprintf(stderr, "%s\n", describe(report.error()).c_str());
        return 1;
    }

    // 3. Judge by planar forward kinematics, where angles add up along the chain.
    const std::vector<Vec2> p = computePlanarPositions<double>(*chain, dofs);
    double sum = 0.0;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
        sum += dofs[i];
        std::printf("link %zu: %6.1f degrees, ends at %6.3f %6.3f\n", i + 1, degrees(dofs[i]),
                    p[i + 1].x, p[i + 1].y);
    }
    std::printf("%s: tip off by %.1e, direction off by %.1e degrees\n",
                std::string(ikStatusName(report->status)).c_str(),
                std::hypot(p[5].x - 1.5, p[5].y - 2.5), std::abs(degrees(sum) - 180.0));
    return 0;
}
