// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const DistanceGoal& goal, const Vec3& a, const Vec3& b) {
    BodyFrame bodies[2];
    bodies[0].position = a;
    bodies[1].position = b;
    GoalRows rows;
    evaluate(goal, bodies, false, rows);
    return rows;
}

TEST(DistanceGoal, HoldsBothJointsInOrder) {
    const GoalBodies bodies = bodiesOf(DistanceGoal{.joint_a = jointId(3), .joint_b = jointId(1)});
    EXPECT_EQ(bodies.count, 2U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
    EXPECT_EQ(bodies.joint[1], jointId(1));
}

TEST(DistanceGoal, ExactlyCountsBothWays) {
    const DistanceGoal goal{.point_a = {1, 0, 0}, .distance = 2.0};
    const GoalRows far = rowsOf(goal, {0, 0, 0}, {1, 3, 4});
    ASSERT_EQ(far.count, 1U);
    EXPECT_NEAR(far.residual[0], 3.0, 1e-15);
    EXPECT_NEAR(far.error, 3.0, 1e-15);
    const GoalRows near = rowsOf(goal, {0, 0, 0}, {1, 0, 0.5});
    EXPECT_NEAR(near.residual[0], -1.5, 1e-15);
    EXPECT_NEAR(near.error, 1.5, 1e-15);
}

TEST(DistanceGoal, BoundsWishNothingWhereTheyAreKept) {
    const Vec3 near{0.5, 0, 0};
    const Vec3 exactly{2, 0, 0};
    const Vec3 far{5, 0, 0};
    const DistanceGoal least{.distance = 2.0, .bound = DistanceBound::AtLeast};
    const DistanceGoal most{.distance = 2.0, .bound = DistanceBound::AtMost};
    for (const auto& [goal, kept] : {std::pair{least, far}, std::pair{least, exactly},
                                     std::pair{most, near}, std::pair{most, exactly}}) {
        const GoalRows rows = rowsOf(goal, {}, kept);
        EXPECT_EQ(rows.count, 1U);
        EXPECT_EQ(rows.residual[0], 0.0);
        EXPECT_EQ(rows.error, 0.0);
        EXPECT_EQ(rows.wrench[0][0].force, Vec3{});
        EXPECT_EQ(rows.wrench[1][0].force, Vec3{});
    }
    EXPECT_NEAR(rowsOf(least, {}, near).residual[0], -1.5, 1e-15);
    EXPECT_NEAR(rowsOf(most, {}, far).residual[0], 3.0, 1e-15);
}

TEST(DistanceGoal, PointsThatCoincideAreDrivenApartAlongX) {
    const GoalRows rows = rowsOf({.distance = 2.0}, {1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(rows.residual[0], -2.0);
    EXPECT_EQ(rows.wrench[0][0].force, (Vec3{-1, 0, 0}));
    EXPECT_EQ(rows.wrench[1][0].force, (Vec3{1, 0, 0}));
}

TEST(DistanceGoal, WrenchesAreDerivatives) {
    Random random(9);
    for (int i = 0; i < 300; ++i) {
        const bool planar = i % 2 == 0;
        DistanceGoal goal{.point_a = random.direction(), .point_b = random.direction()};
        goal.distance = random.between(0.1, 4.0);
        goal.bound = static_cast<DistanceBound>(i % 3);
        if (planar) goal.point_a.z = goal.point_b.z = 0.0;
        const std::vector<BodyFrame> bodies = {randomBody(random, planar),
                                               randomBody(random, planar)};
        const double apart =
            distance(pointOn(bodies[0], goal.point_a), pointOn(bodies[1], goal.point_b));
        // At the bound there is a corner, and where the points meet a cone.
        if (apart < 0.1 || std::abs(apart - goal.distance) < 1e-3) continue;
        test::expectWrenchesAreDerivatives(goal, bodies, planar, "distance");
    }
}

}  // namespace
}  // namespace ulna
