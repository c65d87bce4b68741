// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/differenced.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/ik/check_goal.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// A point of one body in the frame of another, minus a target: all parts of both wrenches count.
void offset(std::span<const BodyFrame> bodies, std::span<double> out) {
    const Vec3 apart = pointOn(bodies[0], {0.2, -0.1, 0.3}) - bodies[1].position;
    const Mat3& frame = bodies[1].orientation;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = frame.rows[0][k] * apart.x + frame.rows[1][k] * apart.y +
                 frame.rows[2][k] * apart.z - 0.1;
}

TEST(DifferencedGoal, HasTheWrenchesOfItsResiduals) {
    const CustomGoal goal = makeDifferencedGoal("offset", {jointId(0), jointId(1)}, 3, offset);
    const std::vector<WrenchFault> faults =
        checkWrenches(GoalKind(goal), {.samples = 50, .tolerance = 1e-6});
    EXPECT_TRUE(faults.empty()) << describe(faults.front());
}

TEST(DifferencedGoal, IsSolvedFor) {
    const Skeleton s = test::build({test::joint("root", "", JointKind::Ball, {}),
                                    test::joint("elbow", "root", JointKind::Ball, {1, 0, 0}),
                                    test::joint("hand", "elbow", JointKind::Fixed, {1, 0, 0})});
    const CustomGoal goal =
        makeDifferencedGoal("height", {s.find("hand")}, 1,
                            [](std::span<const BodyFrame> bodies, std::span<double> out) {
                                out[0] = bodies[0].position.y - 0.75;
                            });
    DofVector dofs(s.dofCount(), 0.1);
    const Result<IkReport> report = solveIk(s, std::vector<IkGoal>{{goal}}, {}, dofs);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->status, IkStatus::Reached);
    EXPECT_NEAR(computeModelPose(s, computePose(s, dofs)).position(s.find("hand")).y, 0.75, 1e-3);
}

}  // namespace
}  // namespace ulna
