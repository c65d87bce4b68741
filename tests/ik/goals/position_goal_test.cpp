// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/position.h"

#include <gtest/gtest.h>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const PositionGoal& goal, const BodyFrame& body, bool planar = false) {
    GoalRows rows;
    evaluate(goal, {&body, 1}, planar, rows);
    return rows;
}

TEST(PositionGoal, HoldsItsJointAlone) {
    const GoalBodies bodies = bodiesOf(PositionGoal{.joint = jointId(3)});
    EXPECT_EQ(bodies.count, 1U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
}

TEST(PositionGoal, MeasuresFromTheTargetToThePoint) {
    BodyFrame body;
    body.orientation = toMatrix(quatFromAxisAngle(Vec3{0, 0, 1}, kPi / 2));  // x goes to y
    body.position = {1, 2, 3};
    body.scale = 2.0;
    const GoalRows rows = rowsOf({.point = {0.5, 0, 0}, .target = {1, 0, 7}}, body);
    ASSERT_EQ(rows.count, 3U);
    EXPECT_NEAR(rows.residual[0], 0.0, 1e-15);
    EXPECT_NEAR(rows.residual[1], 3.0, 1e-15);  // the point is at (1, 3, 3)
    EXPECT_NEAR(rows.residual[2], -4.0, 1e-15);
    EXPECT_NEAR(rows.error, 5.0, 1e-15);
}

TEST(PositionGoal, HasTwoRowsInThePlaneAndNoErrorOffIt) {
    BodyFrame body;
    const GoalRows rows = rowsOf({.target = {3, 4, 100}}, body, true);
    EXPECT_EQ(rows.count, 2U);
    EXPECT_NEAR(rows.error, 5.0, 1e-15);
}

TEST(PositionGoal, IsMetOnTheTargetAndPullsAsMuchThere) {
    BodyFrame body;
    body.position = {1, 2, 3};
    const GoalRows rows = rowsOf({.target = {1, 2, 3}}, body);
    EXPECT_EQ(rows.error, 0.0);
    EXPECT_EQ(rows.wrench[0][1].force, (Vec3{0, 1, 0}));
}

TEST(PositionGoal, WrenchesAreDerivatives) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const bool planar = i % 2 == 0;
        const PositionGoal goal{.point = random.direction(), .target = random.direction()};
        test::expectWrenchesAreDerivatives(goal, {randomBody(random, planar)}, planar, "position");
    }
}

}  // namespace
}  // namespace ulna
