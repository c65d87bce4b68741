// SPDX-License-Identifier: Apache-2.0

// Problems and the tree's step, against differences and dense algebra.
#include "ulna/ik/detail/problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "ulna/ik/detail/tree_step.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::ik::detail {
namespace {

using namespace test;

// Goals of every kind on two or three bodies each.
std::vector<IkGoal> someGoals(const Skeleton& person, Random& random) {
    const auto at = [&](const char* name) { return person.find(name); };
    return {
        {.kind = PositionGoal{at("LeftHand"), {0.1, 0, 0.1}, random.direction()}},
        {.kind = PositionGoal{at("RightFoot"), {}, random.direction()}, .weight = 2.5},
        {.kind = OrientationGoal{at("Head"), random.rotation()}, .weight = 0.3},
        {.kind = AimGoal{at("Chest"), {0, 0, 1}, {0, 0.1, 0}, random.direction() * 3.0}},
        {.kind = PoleGoal{at("LeftLeg"), at("LeftKnee"), at("LeftFoot"), random.direction() * 2.0}},
        {.kind = PlaneGoal{at("LeftFoot"), {}, {0, 1, 0}, 0.3, PlaneSide::On}},
        {.kind = DistanceGoal{at("LeftHand"), at("RightHand"), {}, {}, 0.4}},
        {.kind = KeepApartGoal{{at("LeftElbow"), {}, {0.25, 0, 0}, 0.3},
                               {at("Spine"), {0, -0.1, 0}, {0.05, 0.3, 0}, 0.5},
                               0.1}},
        {.kind = BalanceGoal{.contacts = {{at("LeftFoot"), {0, 0, 0.1}}, {at("RightFoot"), {}}},
                             .masses = {{at("Head"), 1.0, {0, 0.1, 0}},
                                        {at("LeftHand"), 2.0, {}},
                                        {at("RightKnee"), 3.0, {0, 0.1, 0.1}}}}},
        {.kind = makeCustomGoal("level", {at("RightElbow"), at("RightKnee")}, 1,
                                [](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                                    const Vec3 a = bodies[0].position, b = bodies[1].position;
                                    rows.residual[0] = dot(a, b);
                                    rows.wrench[0][0] = forceAt(a, b);
                                    rows.wrench[1][0] = forceAt(b, a);
                                })},
        {.kind = PostureGoal{{}, {}}, .weight = 0.1}};
}

TEST(IkProblem, ItsGradientIsThatOfItsCost) {
    const Skeleton person = limitedPerson();
    Random random(2);
    for (int i = 0; i < 20; ++i) {
        Problem problem;
        ASSERT_TRUE(problem.build(person, someGoals(person, random), {}));
        problem.begin(restPose(person));
        Evaluation now, moved;
        problem.mechanism().load(allowedDofs(person, random), now.at);
        // Away from bounds, so that small moves are not clamped.
        for (double& v : now.at.values) v *= 0.7;
        problem.evaluate(now);
        problem.linearize(now);
        std::vector<double> gradient(problem.columnCount()), step(problem.columnCount(), 0.0);
        problem.computeGradient(now, 3, gradient);
        std::vector<double> down(problem.columnCount(), -1.0), up(problem.columnCount(), 1.0);
        problem.mechanism().computeRoom(now.at, down, up);
        for (std::size_t c = 0; c < problem.columnCount(); ++c) {
            const double h = 1e-6 * problem.columnScale()[c];
            if (up[c] < h || down[c] > -h) continue;
            double costs[2];
            for (const int side : {0, 1}) {
                step[c] = side == 0 ? -h : h;
                problem.mechanism().retract(now.at, step, moved.at);
                problem.evaluate(moved);
                costs[side] = moved.total();
            }
            step[c] = 0.0;
            EXPECT_NEAR(gradient[c], (costs[1] - costs[0]) / 2e-6, 1e-5 * (1.0 + now.total()))
                << "column " << c;
        }
    }
}

TEST(IkProblem, ItsDualMatrixIsTheProductOfItsRows) {
    const Skeleton person = limitedPerson();
    Random random(3);
    Problem problem;
    ASSERT_TRUE(problem.build(person, someGoals(person, random), {}));
    problem.begin(restPose(person));
    Evaluation now;
    problem.mechanism().load(allowedDofs(person, random), now.at);
    problem.evaluate(now);
    problem.linearize(now);
    problem.freeze(4);
    const std::size_t m = problem.rowCount(), n = problem.columnCount();
    std::vector<double> dual(m * m), a(n), b(n), divide(n), scaled(m * m);
    for (std::size_t c = 0; c < n; ++c) divide[c] = random.between(1.0, 3.0);
    problem.assembleDual({}, dual);
    problem.assembleDual(divide, scaled);
    for (std::size_t i = 0; i < m; ++i) {
        problem.computeRow(i, a);
        EXPECT_EQ(a[4], 0.0);
        for (std::size_t j = 0; j <= i; ++j) {
            problem.computeRow(j, b);
            double sum = 0.0, divided = 0.0;
            for (std::size_t c = 0; c < n; ++c)
                sum += a[c] * b[c], divided += a[c] * b[c] / divide[c];
            EXPECT_NEAR(dual[i * m + j], sum, 1e-12);
            EXPECT_NEAR(scaled[i * m + j], divided, 1e-12);
        }
    }
}

TEST(TreeStep, AgreesWithTheDenseSystemOnChainsAndTrees) {
    Random random(4);
    for (const int kind : {0, 1, 2}) {
        const Skeleton skeleton = kind == 0   ? ballChain(40)
                                  : kind == 1 ? limitedPerson()
                                              : everyKind();
        std::vector<IkGoal> goals;
        for (std::size_t j = 1; j < skeleton.jointCount(); j += kind == 0 ? 3 : 1) {
            goals.push_back(
                {.kind = PositionGoal{jointId(j), random.direction() * 0.1, random.direction()}});
            if (j % 2 == 0)
                goals.push_back({.kind = OrientationGoal{jointId(j), random.rotation()}});
        }
        goals.push_back({.kind = PostureGoal{{}, {}}, .weight = 0.01});
        Problem problem;
        ASSERT_TRUE(problem.build(skeleton, goals, {}));
        problem.begin(restPose(skeleton));
        Evaluation now;
        problem.mechanism().load(allowedDofs(skeleton, random), now.at);
        problem.evaluate(now);
        const std::size_t n = problem.columnCount();
        TreeStep tree;
        tree.build(problem);
        std::vector<double> gradient(n), dense_gradient(n), step(n, 0.0);
        problem.linearize(now);
        tree.linearize(problem, now, gradient);
        problem.computeGradient(now, 3, dense_gradient);
        EXPECT_LT(largestDifference(gradient, dense_gradient), 1e-9);
        std::vector<std::uint8_t> frozen(n, 0);
        frozen[2] = 1;
        frozen[5] = 2;
        step[5] = 0.05;  // moves by a given amount
        const double damping = 0.3;
        tree.solve(problem, damping, frozen, step);
        EXPECT_EQ(step[2], 0.0);
        EXPECT_EQ(step[5], 0.05);
        // (Jt J + curvature + damping) step = -gradient in every free coordinate.
        std::vector<double> row(n), left(n, 0.0);
        for (std::size_t r = 0; r < problem.rowCount(); ++r) {
            problem.computeRow(r, row);
            double along = 0.0;
            for (std::size_t c = 0; c < n; ++c) along += row[c] * step[c];
            for (std::size_t c = 0; c < n; ++c) left[c] += row[c] * along;
        }
        for (std::size_t c = 0; c < n; ++c) {
            if (frozen[c] != 0) continue;
            const double all = left[c] + (problem.postureCurvature()[c] + damping) * step[c];
            EXPECT_NEAR(all, -gradient[c], 1e-9 * (1.0 + std::abs(gradient[c]))) << "column " << c;
        }
    }
}

TEST(TreeStep, ManyGoalsAreSolvedThroughIt) {
    const Skeleton chain = ballChain(60);
    Random random(5);
    DofVector wished(chain.dofCount());
    for (double& x : wished) x = random.between(-0.1, 0.1);
    const ModelPose model = computeModelPose(chain, computePose(chain, wished));
    std::vector<IkGoal> goals;
    for (std::size_t j = 3; j <= 60; j += 3)
        goals.push_back({.kind = PositionGoal{jointId(j), {}, model.position(jointId(j))}});
    DofVector dofs(chain.dofCount(), 0.0);
    const IkReport report = mustSolve(chain, goals, {.position_tolerance = 1e-6}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    for (const IkGoal& goal : goals)
        EXPECT_LT(errorByFk(chain, dofs, std::get<PositionGoal>(goal.kind)), 1e-6);
}

}  // namespace
}  // namespace ulna::ik::detail
