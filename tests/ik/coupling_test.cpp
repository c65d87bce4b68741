// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics of joints that follow others, judged by forward kinematics.
#include <gtest/gtest.h>

#include "support/grippers.h"
#include "support/ik.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/differentiate.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using test::gripperJoints;
using test::mustSolve;
using test::reachFor;

Vec3 positionOf(const Skeleton& skeleton, const DofVector& dofs, const char* joint) {
    return computeModelPose(skeleton, computePose(skeleton, dofs))[skeleton.find(joint)]
        .translation();
}

// The state of a gripper with the wrist turned and the fingers opened by so much.
DofVector opened(const Skeleton& gripper, double angle) {
    DofVector out(gripper.dofCount(), 0.0);
    out[0] = 0.2, out[1] = -0.3, out[2] = 0.1;
    out[gripper.firstDof(gripper.find("left"))] = angle;
    applyCouplings(gripper, out);
    return out;
}

TEST(CoupledIk, AFollowerPullsItsLeader) {
    // The goal is on the finger that follows: its leader, which is not above it, must move.
    const Skeleton gripper = test::build(gripperJoints());
    const DofVector truth = opened(gripper, 0.4);
    const Vec3 target = positionOf(gripper, truth, "right end");
    DofVector dofs = opened(gripper, 0.1);
    IkOptions options;
    options.locked = {gripper.find("wrist")};
    const IkReport report =
        mustSolve(gripper, {reachFor(gripper, "right end", target)}, options, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_NEAR(dofs[gripper.firstDof(gripper.find("left"))], 0.4, 1e-3);
    EXPECT_EQ(limitExcess(gripper, dofs), 0.0);
    EXPECT_LT(distance(positionOf(gripper, dofs, "right end"), target), 2e-4);
}

TEST(CoupledIk, BothFingersMeetGoalsThatAgree) {
    const Skeleton gripper = test::build(gripperJoints());
    const DofVector truth = opened(gripper, 0.45);
    std::vector<IkGoal> goals;
    for (const char* tip : {"left tip", "right end"})
        goals.push_back(reachFor(gripper, tip, positionOf(gripper, truth, tip)));
    DofVector dofs(gripper.dofCount(), 0.0);
    EXPECT_EQ(mustSolve(gripper, goals, {}, dofs).status, IkStatus::Reached);
    EXPECT_EQ(limitExcess(gripper, dofs), 0.0);
}

TEST(CoupledIk, OutOfReachIsAMinimumAlongTheCoupling) {
    const Skeleton gripper = test::build(gripperJoints());
    const std::size_t left = gripper.firstDof(gripper.find("left"));
    IkOptions options;
    options.locked = {gripper.find("wrist")};
    const std::vector<IkGoal> goals = {reachFor(gripper, "left tip", {-1.2, 1.2, 0.3}),
                                       reachFor(gripper, "right end", {0.3, 1.6, 0.0})};
    DofVector dofs(gripper.dofCount(), 0.0);
    EXPECT_EQ(mustSolve(gripper, goals, options, dofs).status, IkStatus::OutOfReach);
    const auto cost = [&](double angle) {
        DofVector at(gripper.dofCount(), 0.0);
        at[left] = angle;
        applyCouplings(gripper, at);
        double sum = 0.0;
        for (const auto& [tip, target] : {std::pair{"left tip", Vec3{-1.2, 1.2, 0.3}},
                                          std::pair{"right end", Vec3{0.3, 1.6, 0.0}}}) {
            const double off = distance(positionOf(gripper, at, tip), target);
            sum += off * off;
        }
        return sum;
    };
    double best = 0.0;
    for (double angle = 0.0; angle <= 0.5; angle += 1e-4)
        if (cost(angle) < cost(best)) best = angle;
    EXPECT_NEAR(dofs[left], best, 1e-4);
    DofVector again = dofs;
    mustSolve(gripper, goals, options, again);
    EXPECT_LT(test::largestDifference(again, dofs), 1e-6);
}

TEST(CoupledIk, WhereOneIsLockedAllStay) {
    const Skeleton gripper = test::build(gripperJoints());
    DofVector dofs = opened(gripper, 0.2);
    const DofVector before = dofs;
    IkOptions options;
    options.locked = {gripper.find("right tip")};
    mustSolve(gripper, {reachFor(gripper, "left tip", {1, 0.2, 0.7})}, options, dofs);
    for (const char* finger : {"left", "right", "right tip"}) {
        const std::size_t d = gripper.firstDof(gripper.find(finger));
        EXPECT_EQ(dofs[d], before[d]) << finger;
    }
    EXPECT_GT(test::largestDifference(dofs, before), 0.1);
}

TEST(CoupledIk, WhatNoGoalHoldsFollowsToo) {
    const Skeleton gripper = test::build(gripperJoints());
    DofVector dofs = opened(gripper, 0.1);
    const Vec3 target = positionOf(gripper, opened(gripper, 0.4), "left tip");
    IkOptions options;
    options.locked = {gripper.find("wrist")};
    mustSolve(gripper, {reachFor(gripper, "left tip", target)}, options, dofs);
    EXPECT_NEAR(dofs[gripper.firstDof(gripper.find("right"))], -0.4, 1e-3);
    EXPECT_EQ(limitExcess(gripper, dofs), 0.0);
}

TEST(CoupledIk, PosesBatchesAndLevelsKeepIt) {
    const Skeleton gripper = test::build(gripperJoints());
    const Vec3 target = positionOf(gripper, opened(gripper, 0.3), "right end");
    Pose pose = restPose(gripper);
    Result<IkSolver> solver = IkSolver::make(gripper, {reachFor(gripper, "right end", target)}, {});
    ASSERT_TRUE(solver);
    EXPECT_EQ(solver->solve(pose).status, IkStatus::Reached);
    EXPECT_LT(limitExcess(gripper, computeDofs(gripper, pose).dofs), 1e-9);

    DofVector dofs(gripper.dofCount(), 0.0);
    mustSolve(gripper,
              {reachFor(gripper, "right end", target), reachFor(gripper, "left tip", {0, 2, 0}, 2)},
              {}, dofs);
    EXPECT_LT(distance(positionOf(gripper, dofs, "right end"), target), 2e-4);
    EXPECT_EQ(limitExcess(gripper, dofs), 0.0);
}

TEST(CoupledIk, APostureOfAFollowerIsItsLeaders) {
    const Skeleton gripper = test::build(gripperJoints());
    PostureGoal posture;
    posture.rest = DofVector(gripper.dofCount(), 0.0);
    posture.rest[gripper.firstDof(gripper.find("right"))] = -0.25;
    posture.joints = {gripper.find("right")};
    DofVector dofs(gripper.dofCount(), 0.0);
    mustSolve(gripper, {{.kind = posture}}, {}, dofs);
    EXPECT_NEAR(dofs[gripper.firstDof(gripper.find("left"))], 0.25, 1e-7);
}

TEST(CoupledIk, AnswersFollowTargetsAlongIt) {
    const Skeleton gripper = test::build(gripperJoints());
    IkOptions options;
    options.locked = {gripper.find("wrist")};
    options.position_tolerance = 1e-10;
    const auto solved = [&](const Vec3& target) {
        DofVector dofs = opened(gripper, 0.25);
        mustSolve(gripper, {reachFor(gripper, "right end", target)}, options, dofs);
        return dofs;
    };
    // Out of reach, so that the answer is the nearest point.
    const Vec3 target{1.1, 1.1, 0.0};
    const Result<IkDerivatives> derivatives = differentiateIk(
        gripper, std::vector{reachFor(gripper, "right end", target)}, solved(target), options);
    ASSERT_TRUE(derivatives);
    constexpr double kStep = 1e-5;
    for (std::size_t k = 0; k < 2; ++k) {
        Vec3 up = target, down = target;
        up[k] += kStep, down[k] -= kStep;
        const DofVector a = solved(up), b = solved(down);
        for (std::size_t d = 0; d < a.size(); ++d)
            EXPECT_NEAR(derivatives->by_target[d * derivatives->targets + k],
                        (a[d] - b[d]) / (2.0 * kStep), 1e-4)
                << gripper.dofName(d);
    }
}

TEST(CoupledIk, BatchesReachAndKeepIt) {
    const Skeleton gripper = test::build(gripperJoints());
    const Vec3 target = positionOf(gripper, opened(gripper, 0.3), "right end");
    const std::vector<IkGoal> goals = {reachFor(gripper, "right end", target)};
    const IkBatchProblems problems{.count = 5, .points = std::vector<Vec3>(5, target)};
    const Result<IkBatchResult> result = solveIkBatch(gripper, goals, {}, problems);
    ASSERT_TRUE(result);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto first =
            result->dofs.begin() + static_cast<std::ptrdiff_t>(i * gripper.dofCount());
        const DofVector own(first, first + static_cast<std::ptrdiff_t>(gripper.dofCount()));
        EXPECT_EQ(result->reports[i].status, IkStatus::Reached);
        EXPECT_EQ(limitExcess(gripper, own), 0.0);
        EXPECT_LT(distance(positionOf(gripper, own, "right end"), target), 2e-4);
    }
}

TEST(CoupledIk, MethodsThatMoveOneJointAtATimeSayNo) {
    const Skeleton gripper = test::build(gripperJoints());
    for (const IkMethod method : {IkMethod::Ccd, IkMethod::Fabrik, IkMethod::TwoBone}) {
        IkOptions options;
        options.method = method;
        const Result<IkSolver> solver =
            IkSolver::make(gripper, {reachFor(gripper, "left tip", {0, 1, 0})}, options);
        ASSERT_FALSE(solver);
        EXPECT_NE(solver.error().what.find("some here follow others"), std::string::npos);
        EXPECT_EQ(solver.error().advice, "use auto for coupled joints");
    }
}

}  // namespace
}  // namespace ulna
