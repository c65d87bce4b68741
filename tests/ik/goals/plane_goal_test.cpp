// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/plane.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const PlaneGoal& goal, const BodyFrame& body, bool planar = false) {
    GoalRows rows;
    evaluate(goal, {&body, 1}, planar, rows);
    return rows;
}

BodyFrame bodyAt(const Vec3& position) {
    BodyFrame body;
    body.position = position;
    return body;
}

TEST(PlaneGoal, HoldsItsJointAlone) {
    const GoalBodies bodies = bodiesOf(PlaneGoal{.joint = jointId(3)});
    EXPECT_EQ(bodies.count, 1U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
}

TEST(PlaneGoal, BelowTheFloorTheResidualIsTheDepth) {
    const PlaneGoal goal{.point = {0, -0.1, 0}, .offset = 0.5};
    for (const bool planar : {false, true}) {
        const GoalRows rows = rowsOf(goal, bodyAt({3, 0.2, 0}), planar);
        ASSERT_EQ(rows.count, 1U);
        EXPECT_NEAR(rows.residual[0], -0.4, 1e-15);
        EXPECT_NEAR(rows.error, 0.4, 1e-15);
        EXPECT_EQ(rows.wrench[0][0].force, (Vec3{0, 1, 0}));
    }
}

TEST(PlaneGoal, AboveTheFloorAndExactlyOnItNothingIsWished) {
    for (const double height : {0.5, 0.6, 9.0}) {
        const GoalRows rows = rowsOf({.offset = 0.5}, bodyAt({1, height, 1}));
        EXPECT_EQ(rows.residual[0], 0.0);
        EXPECT_EQ(rows.error, 0.0);
        EXPECT_EQ(rows.wrench[0][0].force, Vec3{});
        EXPECT_EQ(rows.wrench[0][0].moment, Vec3{});
    }
}

TEST(PlaneGoal, OnThePlaneBothSidesCount) {
    const PlaneGoal goal{.offset = 0.5, .side = PlaneSide::On};
    EXPECT_NEAR(rowsOf(goal, bodyAt({0, 0.9, 0})).residual[0], 0.4, 1e-15);
    EXPECT_NEAR(rowsOf(goal, bodyAt({0, 0.1, 0})).residual[0], -0.4, 1e-15);
    const GoalRows on = rowsOf(goal, bodyAt({7, 0.5, 7}));
    EXPECT_EQ(on.error, 0.0);
    EXPECT_EQ(on.wrench[0][0].force, (Vec3{0, 1, 0}));
}

TEST(PlaneGoal, WrenchesAreDerivatives) {
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const bool planar = i % 2 == 0;
        PlaneGoal goal{.point = random.direction(), .normal = random.direction()};
        goal.offset = random.between(-1.0, 1.0);
        goal.side = i % 4 < 2 ? PlaneSide::On : PlaneSide::Above;
        const BodyFrame body = randomBody(random, planar);
        // At the plane itself the wish above it has a corner.
        if (std::abs(dot(goal.normal, pointOn(body, goal.point)) - goal.offset) < 1e-3) continue;
        test::expectWrenchesAreDerivatives(goal, {body}, planar, "plane");
    }
}

}  // namespace
}  // namespace ulna
