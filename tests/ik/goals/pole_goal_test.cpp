// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/pole.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/jacobian_checker.h"

namespace ulna {
namespace {

using namespace ik::detail;
using test::randomBody;

GoalRows rowsOf(const Vec3& pole, const Vec3& start, const Vec3& mid, const Vec3& end,
                bool planar = false) {
    BodyFrame bodies[3];
    bodies[0].position = start;
    bodies[1].position = mid;
    bodies[2].position = end;
    GoalRows rows;
    evaluate(PoleGoal{.pole = pole}, bodies, planar, rows);
    return rows;
}

void expectNoWish(const GoalRows& rows) {
    EXPECT_EQ(rows.residual[0], 0.0);
    EXPECT_EQ(rows.error, 0.0);
    for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_EQ(rows.wrench[b][0].force, Vec3{});
        EXPECT_EQ(rows.wrench[b][0].moment, Vec3{});
    }
}

TEST(PoleGoal, HoldsStartMidAndEnd) {
    const GoalBodies bodies =
        bodiesOf(PoleGoal{.start = jointId(3), .mid = jointId(4), .end = jointId(5)});
    EXPECT_EQ(bodies.count, 3U);
    EXPECT_EQ(bodies.joint[0], jointId(3));
    EXPECT_EQ(bodies.joint[1], jointId(4));
    EXPECT_EQ(bodies.joint[2], jointId(5));
}

TEST(PoleGoal, ResidualIsTheAngleAboutTheLineTimesTheBend) {
    Random random(10);
    for (int i = 0; i < 200; ++i) {
        const double angle = random.between(-3.1, 3.1);
        const double off = random.between(0.01, 0.5);
        // The limb along x, the pole up, the bend turned from it about x.
        const Vec3 mid{random.between(-0.5, 1.5), off * std::cos(angle), off * std::sin(angle)};
        const GoalRows rows =
            rowsOf({random.between(-3, 3), random.between(0.1, 3.0), 0}, {}, mid, {1, 0, 0});
        ASSERT_EQ(rows.count, 1U);
        EXPECT_NEAR(std::abs(rows.residual[0]), std::abs(angle) * off, 1e-13);
        EXPECT_NEAR(rows.error, std::abs(angle) * off, 1e-13);
        // One sign each way round.
        EXPECT_EQ(rows.residual[0] > 0.0, angle > 0.0);
    }
}

TEST(PoleGoal, IsMetWhereTheBendFacesThePole) {
    EXPECT_NEAR(rowsOf({5, 3, 0}, {}, {0.5, 0.2, 0}, {1, 0, 0}).error, 0.0, 1e-15);
    EXPECT_NEAR(rowsOf({5, -3, 0}, {}, {0.5, 0.2, 0}, {1, 0, 0}).error, 0.2 * kPi, 1e-15);
}

TEST(PoleGoal, FadesAsTheLimbStraightens) {
    double previous = 1.0;
    for (const double off : {1e-1, 1e-3, 1e-6, 1e-9}) {
        const GoalRows rows = rowsOf({0, 1, 0}, {}, {0.5, 0, off}, {1, 0, 0});
        EXPECT_NEAR(rows.residual[0], off * kPi / 2, off * 1e-9);
        EXPECT_LT(rows.error, previous);
        previous = rows.error;
        for (std::size_t b = 0; b < 3; ++b) EXPECT_LT(length(rows.wrench[b][0].force), 10.0);
    }
}

TEST(PoleGoal, AStraightLimbAPoleOnTheLineAndALimbOfNoLengthWishNothing) {
    expectNoWish(rowsOf({0, 1, 0}, {}, {0.5, 0, 0}, {1, 0, 0}));
    for (const double along : {-2.0, 0.0, 0.5, 1.0, 7.0})
        expectNoWish(rowsOf({along, 0, 0}, {}, {0.5, 0.2, 0}, {1, 0, 0}));
    expectNoWish(rowsOf({0, 1, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
    expectNoWish(rowsOf({0, 1, 0}, {1, 1, 1}, {2, 1, 1}, {1, 1, 1}));  // folded
}

TEST(PoleGoal, HasNoRowInThePlane) {
    EXPECT_EQ(rowsOf({0, 1, 0}, {}, {0.5, -0.2, 0}, {1, 0, 0}, true).count, 0U);
}

TEST(PoleGoal, WrenchesAreDerivatives) {
    Random random(11);
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
        const PoleGoal goal{.pole = random.direction() * 2.0};
        const std::vector<BodyFrame> bodies = {randomBody(random), randomBody(random),
                                               randomBody(random)};
        const Vec3 line = bodies[2].position - bodies[0].position;
        const Vec3 bend = cross(line, bodies[1].position - bodies[0].position);
        const Vec3 pole = cross(line, goal.pole - bodies[0].position);
        // Away from the degenerate places, where derivatives outgrow what differences can tell,
        // and from the half turn at which the angle jumps.
        if (length(line) < 0.3 || length(bend) < 0.1 || length(pole) < 0.1) continue;
        if (dot(bend, pole) < -0.999 * length(bend) * length(pole)) continue;
        test::expectWrenchesAreDerivatives(goal, bodies, false, "pole");
        ++checked;
    }
    EXPECT_GT(checked, 300);
}

TEST(PoleGoal, APoleNearTheLineFadesSmoothly) {
    const std::vector<BodyFrame> bodies = {
        {{}, {0, 0, 0}}, {{}, {0.3, 0.5, 0.1}}, {{}, {0.1, 1, 0}}};
    double last = 0.0;
    for (const double off : {0.01, 0.03, 0.06, 0.09, 0.2}) {
        const PoleGoal goal{.pole = Vec3{0.05, 0.5, 0} + Vec3{0, 0, off}};
        test::expectWrenchesAreDerivatives(goal, bodies, false, "pole " + std::to_string(off));
        GoalRows rows;
        evaluate(goal, bodies, false, rows);
        EXPECT_GE(rows.error, last);
        last = rows.error;
    }
    EXPECT_GT(last, 0.1);
    GoalRows rows;
    evaluate(PoleGoal{.pole = {0.05, 0.5, 1e-6}}, bodies, false, rows);
    EXPECT_LT(rows.error, 1e-9);
}

}  // namespace
}  // namespace ulna
