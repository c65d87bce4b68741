// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/orientation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const OrientationGoal& goal, const BodyFrame& body, bool planar = false) {
    GoalRows rows;
    evaluate(goal, {&body, 1}, planar, rows);
    return rows;
}

TEST(OrientationGoal, HoldsItsJointAlone) {
    const GoalBodies bodies = bodiesOf(OrientationGoal{.joint = jointId(3)});
    EXPECT_EQ(bodies.count, 1U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
}

TEST(OrientationGoal, ErrorIsTheAngleAndTheResidualItsChordAboutTheAxis) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const Quat target = random.rotation();
        const Vec3 axis = random.direction();
        const double angle = random.between(0.0, 3.1);
        BodyFrame body = randomBody(random);
        body.orientation = toMatrix(quatFromAxisAngle(axis, angle) * target);
        const GoalRows rows = rowsOf({.target = i % 2 == 0 ? target : -target}, body);
        ASSERT_EQ(rows.count, 3U);
        EXPECT_NEAR(rows.error, angle, 1e-13);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(rows.residual[k], 2.0 * std::sin(angle / 2.0) * axis[k], 1e-13);
    }
}

TEST(OrientationGoal, IsMetByTheTargetItself) {
    Random random(3);
    const Quat target = random.rotation();
    BodyFrame body = randomBody(random);
    body.orientation = toMatrix(target);
    EXPECT_LT(rowsOf({.target = target}, body).error, 1e-15);
}

TEST(OrientationGoal, HalfATurnIsFiniteAndStillHasAWayOut) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0, 0.8}}) {
        BodyFrame body;
        body.orientation = toMatrix(quatFromAxisAngle(axis, kPi));
        const GoalRows rows = rowsOf({}, body);
        EXPECT_NEAR(rows.error, kPi, 1e-14);
        const Vec3 residual{rows.residual[0], rows.residual[1], rows.residual[2]};
        EXPECT_NEAR(length(residual), 2.0, 1e-14);
        EXPECT_NEAR(length(cross(residual, axis)), 0.0, 1e-14);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(isFinite(rows.wrench[0][k].moment));
    }
}

TEST(OrientationGoal, HasOneRowInThePlane) {
    BodyFrame body;
    body.orientation = toMatrix(quatFromAxisAngle(Vec3{0, 0, 1}, 0.5));
    const GoalRows rows = rowsOf({.target = quatFromAxisAngle(Vec3{0, 0, 1}, -0.3)}, body, true);
    EXPECT_EQ(rows.count, 1U);
    EXPECT_NEAR(rows.residual[0], 2.0 * std::sin(0.4), 1e-15);
    EXPECT_NEAR(rows.error, 0.8, 1e-15);
}

TEST(OrientationGoal, WrenchesAreDerivatives) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        test::expectWrenchesAreDerivatives(OrientationGoal{.target = random.rotation()},
                                           {randomBody(random)}, false, "orientation");
        const double angle = random.between(-kPi, kPi);
        test::expectWrenchesAreDerivatives(
            OrientationGoal{.target = quatFromAxisAngle(Vec3{0, 0, 1}, angle)},
            {randomBody(random, true)}, true, "planar orientation");
    }
}

}  // namespace
}  // namespace ulna
