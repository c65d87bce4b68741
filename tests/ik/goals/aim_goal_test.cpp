// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/aim.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const AimGoal& goal, const BodyFrame& body, bool planar = false) {
    GoalRows rows;
    evaluate(goal, {&body, 1}, planar, rows);
    return rows;
}

TEST(AimGoal, HoldsItsJointAlone) {
    const GoalBodies bodies = bodiesOf(AimGoal{.joint = jointId(3)});
    EXPECT_EQ(bodies.count, 1U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
}

TEST(AimGoal, ErrorIsTheAngleBetweenTheAxisAndTheLineOfSight) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const BodyFrame body = randomBody(random);
        const Vec3 axis = random.direction();
        const Vec3 eye = random.direction();
        const Vec3 sideways = anyPerpendicular(axis);
        const double angle = random.between(0.0, kPi);
        const Vec3 sight = axis * std::cos(angle) + sideways * std::sin(angle);
        const double far = random.between(0.1, 5.0);
        const Vec3 target = pointOn(body, eye) + body.orientation * sight * far;
        const GoalRows rows = rowsOf({.axis = axis, .eye = eye, .target = target}, body);
        ASSERT_EQ(rows.count, 3U);
        EXPECT_NEAR(rows.error, angle, 1e-13);
        const Vec3 residual{rows.residual[0], rows.residual[1], rows.residual[2]};
        EXPECT_NEAR(length(residual), 2.0 * std::sin(angle / 2.0), 1e-13);
    }
}

TEST(AimGoal, LookingAtTheTargetMeetsItAndLookingAwayIsWorst) {
    BodyFrame body;
    EXPECT_EQ(rowsOf({.target = {0, 0, 7}}, body).error, 0.0);
    const GoalRows away = rowsOf({.target = {0, 0, -7}}, body);
    EXPECT_NEAR(away.error, kPi, 1e-15);
    EXPECT_NEAR(away.residual[2], 2.0, 1e-15);
}

TEST(AimGoal, ATargetAtTheEyeIsMetByAnyPoseAndPullsAtNothing) {
    Random random(6);
    for (int i = 0; i < 50; ++i) {
        const BodyFrame body = randomBody(random);
        const Vec3 eye = random.direction();
        const GoalRows rows =
            rowsOf({.axis = random.direction(), .eye = eye, .target = pointOn(body, eye)}, body);
        EXPECT_EQ(rows.error, 0.0);
        for (std::size_t k = 0; k < rows.count; ++k) {
            EXPECT_EQ(rows.residual[k], 0.0);
            EXPECT_EQ(rows.wrench[0][k].moment, Vec3{});
            EXPECT_EQ(rows.wrench[0][k].force, Vec3{});
        }
    }
}

TEST(AimGoal, HasTwoRowsInThePlane) {
    BodyFrame body;
    const GoalRows rows = rowsOf({.axis = {1, 0, 0}, .target = {0, 2, 0}}, body, true);
    EXPECT_EQ(rows.count, 2U);
    EXPECT_NEAR(rows.error, kPi / 2, 1e-15);
}

TEST(AimGoal, WrenchesAreDerivatives) {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        AimGoal goal{.axis = random.direction(),
                     .eye = random.direction() * 0.3,
                     .target = random.direction() * 4.0};
        test::expectWrenchesAreDerivatives(goal, {randomBody(random)}, false, "aim");
        goal.axis = normalizedOr(Vec3{goal.axis.x, goal.axis.y, 0}, Vec3{1, 0, 0});
        goal.eye.z = goal.target.z = 0.0;
        const BodyFrame body = randomBody(random, true);
        // Too near the eye the second derivative outgrows what differences can tell.
        if (distance(pointOn(body, goal.eye), goal.target) < 0.2) continue;
        test::expectWrenchesAreDerivatives(goal, {body}, true, "planar aim");
    }
}

}  // namespace
}  // namespace ulna
