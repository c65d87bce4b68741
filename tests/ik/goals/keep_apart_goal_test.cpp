// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/keep_apart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/ik.h"
#include "support/jacobian_checker.h"
#include "ulna/ik/detail/goal_kind.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

GoalRows rowsOf(const KeepApartGoal& goal, const BodyFrame& a, const BodyFrame& b,
                bool planar = false) {
    const BodyFrame bodies[2] = {a, b};
    GoalRows rows;
    ik::detail::evaluate(goal, bodies, planar, rows);
    return rows;
}

GoalRows rowsOf(const KeepApartGoal& goal, bool planar = false) {
    return rowsOf(goal, {}, {}, planar);
}

// The least value of a convex function on [0, 1], by thirds.
template <class F>
double leastOf(const F& f) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 80; ++i) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (f(a) < f(b))
            high = b;
        else
            low = a;
    }
    return f(0.5 * (low + high));
}

// The distance between two segments by search alone: it is convex in both parameters.
double searchedDistance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    return leastOf([&](double s) {
        const Vec3 p = a0 + (a1 - a0) * s;
        return leastOf([&](double t) { return distance(p, b0 + (b1 - b0) * t); });
    });
}

// The shortest translation in the plane that separates two segments that cross, by trying
// directions.
double searchedDepth(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    constexpr int kDirections = 20000;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kDirections; ++i) {
        const double angle = 2.0 * kPi * i / kDirections;
        const Vec3 n{std::cos(angle), std::sin(angle), 0};
        least =
            std::min(least, std::max(dot(n, a0), dot(n, a1)) - std::min(dot(n, b0), dot(n, b1)));
    }
    return least;
}

KeepApartGoal randomGoal(Random& random, bool planar) {
    KeepApartGoal goal{.a = {.joint = jointId(0)}, .b = {.joint = jointId(1)}};
    for (Vec3* point : {&goal.a.start, &goal.a.end, &goal.b.start, &goal.b.end}) {
        *point = random.direction();
        if (planar) point->z = 0.0;
    }
    goal.a.radius = random.between(0.0, 1.0);
    goal.b.radius = random.between(0.0, 1.0);
    goal.margin = random.between(0.0, 3.0);
    return goal;
}

TEST(KeepApartGoal, IsTheSearchedDistanceLessRadiiAndMargin) {
    Random random(1);
    int apart = 0;
    for (int i = 0; i < 400; ++i) {
        const KeepApartGoal goal = randomGoal(random, false);
        const BodyFrame a = randomBody(random), b = randomBody(random);
        const double searched = searchedDistance(pointOn(a, goal.a.start), pointOn(a, goal.a.end),
                                                 pointOn(b, goal.b.start), pointOn(b, goal.b.end));
        const double off =
            searched - goal.a.radius * a.scale - goal.b.radius * b.scale - goal.margin;
        const GoalRows rows = rowsOf(goal, a, b);
        ASSERT_EQ(rows.count, 1U);
        EXPECT_NEAR(rows.residual[0], std::min(0.0, off), 1e-7) << i;
        EXPECT_EQ(rows.error, -rows.residual[0]);
        apart += off >= 0.0 ? 1 : 0;
    }
    EXPECT_GT(apart, 20);
    EXPECT_LT(apart, 380);
}

TEST(KeepApartGoal, WrenchesAreDerivatives) {
    Random random(2);
    int compared = 0, crossing = 0;
    for (int i = 0; i < 600; ++i) {
        const bool planar = i % 2 == 0;
        KeepApartGoal goal = randomGoal(random, planar);
        goal.margin += 1.0;
        const std::vector<BodyFrame> bodies = {randomBody(random, planar),
                                               randomBody(random, planar)};
        const GoalRows rows = rowsOf(goal, bodies[0], bodies[1], planar);
        // Where the margin ends there is a corner, and where segments meet or cross the way out of
        // one another changes.
        const double between = rows.residual[0] + goal.margin + goal.a.radius * bodies[0].scale +
                               goal.b.radius * bodies[1].scale;
        if (rows.residual[0] > -1e-3 || std::abs(between) < 1e-2) continue;
        ++compared;
        crossing += between < 0.0 ? 1 : 0;
        expectWrenchesAreDerivatives(goal, bodies, planar, "keep apart " + std::to_string(i));
    }
    EXPECT_GT(compared, 400);
    EXPECT_GT(crossing, 20);
}

TEST(KeepApartGoal, InThePlaneSegmentsThatCrossAreAsFarFromApartAsTheyMustMove) {
    Random random(3);
    int crossing = 0;
    for (int i = 0; i < 100; ++i) {
        KeepApartGoal goal = randomGoal(random, true);
        goal.a.radius = goal.b.radius = 0.0;
        goal.margin = 10.0;
        const double depth = searchedDepth(goal.a.start, goal.a.end, goal.b.start, goal.b.end);
        const double searched =
            searchedDistance(goal.a.start, goal.a.end, goal.b.start, goal.b.end);
        const double measured = rowsOf(goal, true).residual[0] + goal.margin;
        if (searched > 1e-6) {
            EXPECT_NEAR(measured, searched, 1e-7) << i;
        } else {
            EXPECT_NEAR(measured, -depth, 2e-3) << i;
            ++crossing;
        }
    }
    EXPECT_GT(crossing, 15);
}

TEST(KeepApartGoal, AsksNothingOfCapsulesThatAreApart) {
    KeepApartGoal goal{.a = {.joint = jointId(0), .end = {1, 0, 0}, .radius = 0.1},
                       .b = {jointId(1), {0, 0.5, -1}, {0, 0.5, 1}, 0.2},
                       .margin = 0.1};
    GoalRows rows = rowsOf(goal);
    EXPECT_EQ(rows.residual[0], 0.0);
    EXPECT_EQ(rows.error, 0.0);
    for (const std::size_t body : {0U, 1U}) {
        EXPECT_EQ(rows.wrench[body][0].force, Vec3{});
        EXPECT_EQ(rows.wrench[body][0].moment, Vec3{});
    }
    goal.margin = 0.3;
    rows = rowsOf(goal);
    EXPECT_NEAR(rows.residual[0], -0.1, 1e-15);
    EXPECT_EQ(rows.wrench[0][0].force, (Vec3{0, -1, 0}));
    EXPECT_EQ(rows.wrench[1][0].force, (Vec3{0, 1, 0}));
}

TEST(KeepApartGoal, BallsAndPointsAreCapsulesOfLengthZero) {
    const KeepApartGoal balls{.a = {jointId(0), {1, 0, 0}, {1, 0, 0}, 0.5},
                              .b = {jointId(1), {1, 0, 0.25}, {1, 0, 0.25}, 0.5}};
    const GoalRows rows = rowsOf(balls);
    EXPECT_NEAR(rows.residual[0], -0.75, 1e-15);
    EXPECT_EQ(rows.wrench[1][0].force, (Vec3{0, 0, 1}));
    // A ball over the inside of a segment, and past its end.
    KeepApartGoal beside{.a = {jointId(0), {-1, 0, 0}, {1, 0, 0}, 0.5},
                         .b = {jointId(1), {0.5, 0.25, 0}, {0.5, 0.25, 0}, 0.5}};
    EXPECT_NEAR(rowsOf(beside).residual[0], -0.75, 1e-15);
    beside.b.start = beside.b.end = {1.25, 0, 0};
    EXPECT_NEAR(rowsOf(beside).residual[0], -0.75, 1e-15);
    EXPECT_EQ(rowsOf(beside).wrench[1][0].force, (Vec3{1, 0, 0}));
}

TEST(KeepApartGoal, PointsThatCoincideAreDrivenApartAlongX) {
    const KeepApartGoal goal{.a = {jointId(0), {1, 2, 3}, {1, 2, 3}, 0.5},
                             .b = {jointId(1), {1, 2, 3}, {1, 2, 3}, 0.5}};
    for (const bool planar : {false, true}) {
        const GoalRows rows = rowsOf(goal, planar);
        EXPECT_EQ(rows.residual[0], -1.0);
        EXPECT_EQ(rows.wrench[0][0].force, (Vec3{-1, 0, 0}));
        EXPECT_EQ(rows.wrench[1][0].force, (Vec3{1, 0, 0}));
    }
}

TEST(KeepApartGoal, ParallelSegmentsAreHeldAtTheMiddleOfWhatTheyShare) {
    KeepApartGoal goal{.a = {jointId(0), {0, 0, 0}, {4, 0, 0}, 0.5},
                       .b = {jointId(1), {1, 0.25, 0}, {9, 0.25, 0}, 0.5}};
    for (const bool reversed : {false, true}) {
        if (reversed) std::swap(goal.b.start, goal.b.end);
        const GoalRows rows = rowsOf(goal);
        EXPECT_NEAR(rows.residual[0], -0.75, 1e-15);
        EXPECT_EQ(rows.wrench[1][0].force, (Vec3{0, 1, 0}));
        // The force acts at x = 2.5.
        EXPECT_NEAR(rows.wrench[0][0].moment.z, -2.5, 1e-14);
        EXPECT_NEAR(rows.wrench[1][0].moment.z, 2.5, 1e-14);
    }
    // One after the other on one line: ends face one another.
    goal.b = {jointId(1), {4.25, 0, 0}, {6, 0, 0}, 0.5};
    EXPECT_NEAR(rowsOf(goal).residual[0], -0.75, 1e-15);
    EXPECT_EQ(rowsOf(goal).wrench[1][0].force, (Vec3{1, 0, 0}));
}

TEST(KeepApartGoal, WhatParallelSegmentsAreHeldAtMovesWithThemWithoutJumps) {
    KeepApartGoal goal{.a = {jointId(0), {0, 0, 0}, {1, 0, 0}, 0.5},
                       .b = {jointId(1), {0, 0.25, 0}, {2, 0.25, 0}, 0.5}};
    constexpr double kStep = 1e-3;
    double last = 0.0;
    bool first = true;
    for (double along = -2.5; along < 1.5; along += kStep) {
        goal.b.start.x = along;
        goal.b.end.x = along + 2.0;
        const GoalRows rows = rowsOf(goal);
        if (rows.error == 0.0) continue;
        // Per unit of force: where it acts, while the segments are beside one another.
        const double moment = rows.wrench[0][0].moment.z;
        if (!first) {
            EXPECT_LT(std::abs(moment - last), 3.0 * kStep) << along;
        }
        last = moment;
        first = false;
    }
    EXPECT_FALSE(first);
}

TEST(KeepApartGoal, SegmentsThatMeetAreDrivenApartAcrossBoth) {
    const KeepApartGoal crossed{.a = {jointId(0), {-1, 0, 0}, {1, 0, 0}, 0.1},
                                .b = {jointId(1), {0, -1, 0}, {0, 1, 0}, 0.1}};
    const GoalRows rows = rowsOf(crossed);
    EXPECT_NEAR(rows.residual[0], -0.2, 1e-15);
    EXPECT_EQ(rows.wrench[1][0].force, (Vec3{0, 0, 1}));
    // Nearly crossed, on that side, they are driven the same way.
    KeepApartGoal near = crossed;
    near.b.start.z = near.b.end.z = 1e-9;
    EXPECT_LT(distance(rowsOf(near).wrench[1][0].force, Vec3{0, 0, 1}), 1e-6);
    // On one line and over one another: some way across, always the same.
    const KeepApartGoal same{.a = {jointId(0), {-1, 0, 0}, {1, 0, 0}, 0.1},
                             .b = {jointId(1), {0, 0, 0}, {3, 0, 0}, 0.1}};
    const Vec3 force = rowsOf(same).wrench[1][0].force;
    EXPECT_NEAR(length(force), 1.0, 1e-15);
    EXPECT_NEAR(force.x, 0.0, 1e-15);
    EXPECT_EQ(rowsOf(same).wrench[1][0].force, force);
    EXPECT_EQ(rowsOf(same, true).wrench[1][0].force, (Vec3{0, 1, 0}));
}

TEST(KeepApartGoal, InThePlaneATipThatPokedThroughGoesBack) {
    const KeepApartGoal goal{.a = {jointId(0), {-1, 0, 0}, {1, 0, 0}, 0.1},
                             .b = {jointId(1), {0.5, 2, 0}, {0.5, -0.25, 0}, 0.1}};
    const GoalRows rows = rowsOf(goal, true);
    EXPECT_NEAR(rows.residual[0], -0.45, 1e-15);
    EXPECT_EQ(rows.wrench[1][0].force, (Vec3{0, 1, 0}));
    EXPECT_EQ(rows.wrench[0][0].force, (Vec3{0, -1, 0}));
    // Just before and just behind the line the residual is continuous.
    KeepApartGoal touching = goal;
    for (const double y : {1e-9, 0.0, -1e-9}) {
        touching.b.end.y = y;
        EXPECT_NEAR(rowsOf(touching, true).residual[0], -0.2, 2e-9);
        EXPECT_EQ(rowsOf(touching, true).wrench[1][0].force, (Vec3{0, 1, 0}));
    }
}

TEST(KeepApartGoal, NearlyParallelSegmentsHaveTheDistanceOfTheirClosestPoints) {
    for (const double tilt : {1e-3, 1e-6, 1e-9, 1e-11, 1e-13, 1e-15}) {
        const KeepApartGoal goal{.a = {jointId(0), {0, 0, 0}, {1, 0, 0}, 0.5},
                                 .b = {jointId(1), {0, 0.25 + tilt, 0}, {1, 0.25, 0}, 0.5}};
        EXPECT_NEAR(rowsOf(goal).residual[0], -0.75, 1e-12) << tilt;
        // Skew lines above one another at one point.
        const KeepApartGoal skew{.a = {jointId(0), {0, 0, 0}, {1, 0, 0}, 0.5},
                                 .b = {jointId(1), {0, 0.25, -tilt}, {1, 0.25, tilt}, 0.5}};
        EXPECT_NEAR(rowsOf(skew).residual[0], -0.75, 1e-12) << tilt;
        // The same seen from elsewhere, where every coordinate is rounded.
        Random random(5);
        for (int i = 0; i < 50; ++i) {
            BodyFrame body;
            body.orientation = toMatrix(random.rotation());
            body.position = random.direction();
            EXPECT_NEAR(rowsOf(skew, body, body).residual[0], -0.75, 1e-12) << tilt;
        }
    }
}

TEST(KeepApartGoal, MistakesAreNamed) {
    const Skeleton person = limitedPerson();
    const auto sound = [&](const KeepApartGoal& goal) {
        return checkGoal(person, {.kind = goal}).ok();
    };
    const KeepApartGoal goal{.a = {.joint = jointId(1), .radius = 0.1},
                             .b = {.joint = jointId(2), .radius = 0.1}};
    EXPECT_TRUE(sound(goal));
    for (const double bad : {-0.1, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
        KeepApartGoal wrong = goal;
        wrong.a.radius = bad;
        EXPECT_FALSE(sound(wrong));
        wrong = goal;
        wrong.margin = bad;
        EXPECT_FALSE(sound(wrong));
    }
    KeepApartGoal wrong = goal;
    wrong.b.joint = wrong.a.joint;
    EXPECT_FALSE(sound(wrong));
    wrong = goal;
    wrong.b.end.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(sound(wrong));
}

// The forearm is pulled into the chest, and stops at its surface.
TEST(KeepApartGoal, AnArmPulledThroughTheTrunkStaysOutside) {
    const Skeleton person = limitedPerson();
    const JointId elbow = person.find("LeftElbow"), chest = person.find("Chest"),
                  spine = person.find("Spine"), hand = person.find("LeftHand");
    const Capsule forearm{elbow, {}, {0.25, 0, 0}, 0.04};
    const Capsule trunk{spine, {}, {0, 0.25, 0}, 0.15};
    const KeepApartGoal apart{forearm, trunk, 0.01};
    ASSERT_NE(chest, spine);
    Random random(8);
    int pulled_in = 0;
    for (int i = 0; i < 30; ++i) {
        const Vec3 target = Vec3{0, 1.3, 0} + random.direction() * 0.1;
        const std::vector<IkGoal> goals = {
            {.kind = apart}, {.kind = PositionGoal{.joint = hand, .target = target}, .level = 2}};
        const IkOptions options{.position_tolerance = 1e-5, .chain = person.find("LeftArm")};
        DofVector dofs(person.dofCount(), 0.0), without = dofs;
        mustSolve(person, goals, options, dofs);
        mustSolve(person, {{.kind = goals[1].kind}}, options, without);
        const auto between = [&](const DofVector& at) {
            const ModelPose model = computeModelPose(person, computePose(person, at));
            return searchedDistance(model[elbow] * forearm.start, model[elbow] * forearm.end,
                                    model[spine] * trunk.start, model[spine] * trunk.end) -
                   forearm.radius - trunk.radius;
        };
        EXPECT_GT(between(dofs), apart.margin - 2e-5) << i;
        pulled_in += between(without) < 0.0 ? 1 : 0;
    }
    EXPECT_GT(pulled_in, 10);
}

}  // namespace
}  // namespace ulna
