// SPDX-License-Identifier: Apache-2.0

// The default method where it is hard: targets out of reach, straight and folded chains, bones of
// no length.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/ik.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

TEST(IkSolver, ATargetOutOfReachGetsTheClosestPose) {
    const Skeleton chain = ballChain(4);
    for (const Vec3& target : {Vec3{3, 0, 0}, Vec3{0, 100, 3}, Vec3{-2, -2, 1}}) {
        for (const bool continuity : {false, true}) {
            DofVector dofs(chain.dofCount(), 0.1);
            const IkReport report = mustSolve(chain, {reachFor(chain, "End", target)},
                                              {.continuity = continuity}, dofs);
            EXPECT_EQ(report.status, IkStatus::OutOfReach);
            // The closest a chain of length 1 can come.
            EXPECT_NEAR(report.goal_errors[0], length(target) - 1.0, 1e-9);
        }
    }
}

TEST(IkSolver, AnUnreachableAnswerStaysStill) {
    const Skeleton person = limitedPerson();
    Random random(3);
    int unreachable = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<IkGoal> goals;
        for (const char* name : kEnds)
            goals.push_back(reachFor(person, name, random.direction() * random.between(0.0, 3.0)));
        if (i % 2 == 0)
            goals.push_back({.kind = OrientationGoal{person.find("Chest"), random.rotation()}});
        DofVector dofs = allowedDofs(person, random);
        const IkReport report = mustSolve(person, goals, {}, dofs);
        EXPECT_LE(limitExcess(person, dofs), 1e-9) << "sample " << i;
        unreachable += report.status == IkStatus::OutOfReach ? 1 : 0;
        DofVector again = dofs;
        mustSolve(person, goals, {}, again);
        EXPECT_LE(largestDifference(dofs, again), 1e-6)
            << "sample " << i << ", " << ikStatusName(report.status);
    }
    EXPECT_GE(unreachable, 95);
}

TEST(IkSolver, LimitedChainsStayStillToo) {
    for (const int kind : {0, 1, 2}) {  // angles bounded, cones, rotation vectors
        std::vector<JointDef> joints;
        for (int i = 0; i < 6; ++i) {
            joints.push_back(joint("J" + std::to_string(i),
                                   i == 0 ? "" : "J" + std::to_string(i - 1), JointKind::Ball,
                                   i == 0 ? Vec3{} : Vec3{0, 0.2, 0}));
            JointDef& def = joints.back();
            if (kind == 1) def.cone = ConeLimit{{0, 1, 0}, 0.6, -0.4, 0.4};
            if (kind == 2) def.coordinates = BallCoordinates::RotationVector;
            for (std::size_t k = 0; k < 3 && kind != 1; ++k) def.limits[k] = {-0.5, 0.4};
        }
        const Skeleton chain = build(std::move(joints));
        Random random(11);
        int still = 0;
        for (int i = 0; i < 100; ++i) {
            const PositionGoal goal{
                chain.find("J5"), {}, random.direction() * random.between(0.2, 3)};
            DofVector dofs = allowedDofs(chain, random);
            const IkReport report = mustSolve(chain, {{.kind = goal}}, {}, dofs);
            EXPECT_LE(limitExcess(chain, dofs), 1e-9);
            // What is reported is about the numbers given back.
            EXPECT_NEAR(report.goal_errors[0], errorByFk(chain, dofs, goal), 1e-9) << kind;
            DofVector again = dofs;
            mustSolve(chain, {{.kind = goal}}, {}, again);
            still += largestDifference(dofs, again) <= 1e-6 ? 1 : 0;
        }
        EXPECT_EQ(still, 100) << kind;
    }
}

// The first hinge comes to stand a rounding below its limit, and what is left to move bends
// nothing.
TEST(IkSolver, AHingeARoundingFromItsLimitEndsTheSolve) {
    std::vector<JointDef> joints = {joint("Swing", "", JointKind::Hinge, {}),
                                    joint("Twist", "Swing", JointKind::Hinge, {0.5, 0, 0}),
                                    joint("End", "Twist", JointKind::Fixed, {0.5, 0, 0})};
    joints[0].axes[0] = {0, 0, 1};
    joints[1].axes[0] = {1, 0, 0};
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        joints[0].limits[0] = {-1.0, i == 0 ? 0.28911012112061985 : random.between(0.0, 1.0)};
        const Skeleton arm = build(joints);
        const double angle = random.between(-3.0, 3.0);
        DofVector dofs = {i == 0 ? -0.43320652890318961 : random.between(-0.9, -0.1), 0.0};
        const Vec3 target = Vec3{std::cos(angle), std::sin(angle), 0.0} * 3.0;
        const IkReport report = mustSolve(arm, {reachFor(arm, "End", target)}, {}, dofs);
        EXPECT_EQ(report.status, IkStatus::OutOfReach);
        EXPECT_LE(limitExcess(arm, dofs), 1e-9);
    }
}

TEST(IkSolver, DivergingMethodsGiveNoNonsense) {
    const Skeleton person = limitedPerson();
    Random random(12);
    for (const IkMethod method : {IkMethod::Gradient, IkMethod::ProjectedGradient,
                                  IkMethod::Transpose, IkMethod::Pinv, IkMethod::Dls}) {
        std::vector<IkGoal> goals = {
            {.kind = PositionGoal{person.find("LeftHand"), {}, random.direction()}, .weight = 1e6},
            {.kind = PostureGoal{{}, {}}, .weight = 1e4}};
        DofVector dofs(person.dofCount(), 0.2);
        const IkReport report =
            mustSolve(person, goals, {.method = method, .step = 1e3, .line_search = false}, dofs);
        for (const double x : dofs) EXPECT_TRUE(std::isfinite(x)) << ikMethodName(method);
        const double error = errorByFk(person, dofs, std::get<PositionGoal>(goals[0].kind));
        EXPECT_NEAR(report.goal_errors[0], error, 1e-9) << ikMethodName(method);
        EXPECT_EQ(report.status == IkStatus::Reached, error <= 2e-4) << ikMethodName(method);
    }
}

TEST(IkSolver, AGoalThatNothingCanMoveIsHarmlessToEveryMethod) {
    const Skeleton person = limitedPerson();
    IkOptions options;
    options.locked = {person.find("Hips")};
    for (const IkMethod method : kAllIkMethods) {
        if (method == IkMethod::TwoBone) continue;
        options.method = method;
        DofVector dofs(person.dofCount(), 0.0);
        const IkReport report =
            mustSolve(person, {reachFor(person, "Hips", {0, 2, 0})}, options, dofs);
        EXPECT_NE(report.status, IkStatus::Reached) << ikMethodName(method);
        EXPECT_NEAR(report.goal_errors[0], 1.0, 1e-12) << ikMethodName(method);
    }
}

TEST(IkSolver, KeepsToTheIterationsAllowed) {
    const Skeleton chain = ballChain(4);
    for (const bool continuity : {false, true}) {
        for (const int most : {1, 2, 7}) {
            DofVector dofs(chain.dofCount(), 0.1);
            const IkReport report = mustSolve(
                chain, {reachFor(chain, "End", {0.9, -0.3, 0.1})},
                {.position_tolerance = 1e-13, .max_iterations = most, .continuity = continuity},
                dofs);
            EXPECT_LE(report.iterations, most);
        }
    }
}

TEST(IkSolver, ATargetOnTheRootFoldsTheChain) {
    const Skeleton chain = ballChain(5);
    DofVector dofs(chain.dofCount(), 0.0);
    const PositionGoal goal{chain.find("End"), {}, {0, 0, 0}};
    const IkReport report = mustSolve(chain, {{.kind = goal}}, {}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_LT(errorByFk(chain, dofs, goal), 1e-4);
}

TEST(IkSolver, AStraightLimbWhoseTargetIsOnItsLineBends) {
    for (const bool continuity : {false, true}) {
        for (const double along : {0.5, 0.9, -0.5}) {
            const Skeleton chain = ballChain(2);
            DofVector dofs(chain.dofCount(), 0.0);
            const PositionGoal goal{chain.find("End"), {}, {0, along, 0}};
            const IkReport report =
                mustSolve(chain, {{.kind = goal}}, {.continuity = continuity}, dofs);
            EXPECT_EQ(report.status, IkStatus::Reached) << along;
            EXPECT_LT(errorByFk(chain, dofs, goal), 1e-4);
        }
    }
}

TEST(IkSolver, APoleOnTheLineOfAStraightLimbWishesNothing) {
    const Skeleton chain = ballChain(2);
    const PositionGoal goal{chain.find("End"), {}, {0, 0.7, 0}};
    const PoleGoal pole{chain.find("B0"), chain.find("B1"), chain.find("End"), {0, 5, 0}};
    DofVector dofs(chain.dofCount(), 0.0);
    const IkReport report = mustSolve(chain, {{.kind = goal}, {.kind = pole}}, {}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    for (const double x : dofs) EXPECT_TRUE(std::isfinite(x));
    EXPECT_LT(errorByFk(chain, dofs, goal), 1e-4);
}

TEST(IkSolver, APoleTurnsTheBendTowardsIt) {
    const Skeleton chain = ballChain(2);
    Random random(4);
    for (int i = 0; i < 100; ++i) {
        const PositionGoal goal{
            chain.find("End"), {}, random.direction() * random.between(0.3, 0.9)};
        const Vec3 pole = random.direction() * 2.0;
        DofVector dofs(chain.dofCount(), 0.0);
        const IkReport report = mustSolve(
            chain,
            {{.kind = goal},
             {.kind = PoleGoal{chain.find("B0"), chain.find("B1"), chain.find("End"), pole}}},
            {.restarts = 5}, dofs);
        EXPECT_EQ(report.status, IkStatus::Reached) << "sample " << i;
        const Vec3 mid = computeModelPoint(chain, computePose(chain, dofs), chain.find("B1"), {});
        const Vec3 axis = goal.target / length(goal.target);
        const Vec3 bend = normalizedOr(mid - axis * dot(mid, axis), Vec3{});
        const Vec3 wished = normalizedOr(pole - axis * dot(pole, axis), Vec3{});
        EXPECT_GT(dot(bend, wished), 0.999) << "sample " << i;
    }
}

TEST(IkSolver, ZeroLengthBonesAreHarmless) {
    std::vector<JointDef> joints = {
        joint("A", "", JointKind::Ball, {}), joint("B", "A", JointKind::Ball, {}),
        joint("C", "B", JointKind::Ball, {0, 1, 0}), joint("D", "C", JointKind::Ball, {}),
        joint("E", "D", JointKind::Fixed, {0, 1, 0})};
    const Skeleton chain = build(std::move(joints));
    for (const IkMethod method : {IkMethod::Auto, IkMethod::Ccd, IkMethod::Fabrik, IkMethod::Dls}) {
        DofVector dofs(chain.dofCount(), 0.0);
        const PositionGoal goal{chain.find("E"), {}, {1, 0.7, 0.4}};
        const IkReport report = mustSolve(chain, {{.kind = goal}}, {.method = method}, dofs);
        EXPECT_EQ(report.status, IkStatus::Reached) << ikMethodName(method);
        EXPECT_LT(errorByFk(chain, dofs, goal), 3e-4) << ikMethodName(method);
    }
    // Nothing but zero-length bones: nothing can move, and nothing breaks.
    const Skeleton point =
        build({joint("A", "", JointKind::Ball, {}), joint("B", "A", JointKind::Fixed, {})});
    for (const IkMethod method : kAllIkMethods) {
        if (method == IkMethod::TwoBone) continue;
        DofVector dofs(point.dofCount(), 0.0);
        const IkReport report =
            mustSolve(point, {reachFor(point, "B", {1, 0, 0})}, {.method = method}, dofs);
        EXPECT_NE(report.status, IkStatus::Reached) << ikMethodName(method);
        EXPECT_NEAR(report.goal_errors[0], 1.0, 1e-12);
    }
}

}  // namespace
}  // namespace ulna
