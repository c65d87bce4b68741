// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "support/ik.h"
#include "support/random_rigs.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

IkEvaluation mustEvaluate(const Skeleton& rig, std::span<const IkGoal> goals,
                          std::span<const double> dofs, const EvaluateOptions& wanted = {},
                          const IkOptions& options = {}) {
    Result<IkEvaluation> out = evaluateGoals(rig, goals, dofs, wanted, options);
    if (!out) {
        ADD_FAILURE() << describe(out.error());
        return {};
    }
    return *std::move(out);
}

RandomProblem makeProblem(int seed) {
    Random random(static_cast<std::uint64_t>(seed) + 70);
    RandomProblem out;
    out.rig = randomRig(random, {.planar = seed % 5 == 0, .every_joint = seed % 2 == 0});
    out.goals = randomGoals(random, out.rig,
                            {.reachable = seed % 4 == 0, .every_goal = true, .capsules = true});
    out.start = randomAllowedDofs(random, out.rig);
    return out;
}

TEST(EvaluateGoals, IsTheReportOfASolveAtItsAnswer) {
    int with_posture = 0;
    for (int seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomProblem problem = makeProblem(seed);
        if (seed % 3 == 0) problem.goals[0].level = 2;
        IkOptions options;
        if (seed % 6 == 0) options.locked = {jointId(0)};
        Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, options);
        ASSERT_TRUE(solver) << describe(solver.error());
        DofVector answer = problem.start;
        const IkReport report = solver->solve(answer);
        const IkEvaluation at = mustEvaluate(problem.rig, problem.goals, answer, {}, options);
        EXPECT_EQ(at.reach, solver->reach());
        EXPECT_NEAR(at.cost, report.cost, 1e-8 * (1.0 + report.cost));
        ASSERT_EQ(at.goals.size(), problem.goals.size());
        double sum = 0.0;
        for (std::size_t g = 0; g < problem.goals.size(); ++g) {
            EXPECT_NEAR(at.goals[g].error, report.goal_errors[g], 1e-7);
            sum += at.goals[g].cost;
        }
        EXPECT_NEAR(sum, at.cost + at.posture_cost, 1e-12 * (1.0 + sum));
        // The postures, which no report has, are those that the solver lowered.
        ik::detail::Problem inner;
        ASSERT_TRUE(inner.build(problem.rig, problem.goals, options));
        inner.begin(computePose(problem.rig, answer));
        ik::detail::Evaluation now;
        inner.mechanism().load(answer, now.at);
        inner.evaluate(now);
        EXPECT_NEAR(at.posture_cost, now.posture_cost, 1e-9 * (1.0 + now.posture_cost));
        with_posture += now.posture_cost > 0.0 ? 1 : 0;
    }
    EXPECT_GT(with_posture, 10);
}

TEST(EvaluateGoals, IsWhatPlainMatricesSay) {
    for (int seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed);
        const IkEvaluation at = mustEvaluate(problem.rig, problem.goals, problem.start);
        const std::vector<PlainMatrix> model = plainModel(problem.rig, problem.start);
        const double cost = plainCost(problem.goals, model, at.reach);
        EXPECT_NEAR(at.cost, cost, 1e-9 * (1.0 + cost));
        for (std::size_t g = 0; g < problem.goals.size(); ++g) {
            if (!problem.goals[g].enabled) continue;
            EXPECT_NEAR(at.goals[g].error, plainError(problem.goals[g].kind, model), 1e-7)
                << goalKindName(problem.goals[g].kind);
        }
    }
}

// The total cost where only postures come from the library.
double totalCost(const RandomProblem& problem, const DofVector& at, double reach) {
    const double goals = plainCost(problem.goals, plainModel(problem.rig, at), reach);
    return goals + mustEvaluate(problem.rig, problem.goals, at).posture_cost;
}

TEST(EvaluateGoals, TheGradientIsThatOfTheCost) {
    constexpr double kStep = 2e-6;
    std::size_t compared = 0;
    for (int seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed);
        const IkEvaluation at =
            mustEvaluate(problem.rig, problem.goals, problem.start, {.gradient = true});
        ASSERT_EQ(at.gradient.size(), problem.rig.dofCount());
        EXPECT_TRUE(at.jacobian.empty());
        double largest = 1.0;
        for (const double x : at.gradient) largest = std::max(largest, std::abs(x));
        for (std::size_t d = 0; d < at.gradient.size(); ++d, ++compared) {
            DofVector up = problem.start, down = problem.start;
            up[d] += kStep;
            down[d] -= kStep;
            const double slope =
                (totalCost(problem, up, at.reach) - totalCost(problem, down, at.reach)) /
                (2.0 * kStep);
            EXPECT_NEAR(at.gradient[d], slope, 1e-5 * largest) << "degree of freedom " << d;
        }
    }
    EXPECT_GT(compared, 1000U);
}

TEST(EvaluateGoals, TheJacobianIsThatOfTheResiduals) {
    constexpr double kStep = 2e-6;
    for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed);
        const std::size_t n = problem.rig.dofCount();
        const IkEvaluation at =
            mustEvaluate(problem.rig, problem.goals, problem.start, {.jacobian = true});
        EXPECT_TRUE(at.gradient.empty());
        ASSERT_EQ(at.jacobian.size(), at.row_count * n);
        for (std::size_t d = 0; d < n; ++d) {
            DofVector up = problem.start, down = problem.start;
            up[d] += kStep;
            down[d] -= kStep;
            const IkEvaluation above = mustEvaluate(problem.rig, problem.goals, up);
            const IkEvaluation below = mustEvaluate(problem.rig, problem.goals, down);
            for (std::size_t g = 0; g < problem.goals.size(); ++g) {
                const EvaluatedGoal& goal = at.goals[g];
                for (std::size_t k = 0; k < goal.rows; ++k) {
                    const double slope =
                        (above.goals[g].residual[k] - below.goals[g].residual[k]) / (2.0 * kStep);
                    const double stated = at.jacobian[(goal.first_row + k) * n + d];
                    EXPECT_NEAR(stated, slope, 1e-5 * std::max(1.0, std::abs(stated)))
                        << goalKindName(problem.goals[g].kind) << ", row " << k;
                }
            }
        }
    }
}

TEST(EvaluateGoals, APoseIsEvaluatedLikeItsCoordinates) {
    for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed);
        const IkEvaluation by_dofs = mustEvaluate(problem.rig, problem.goals, problem.start);
        const Result<IkEvaluation> by_pose =
            evaluateGoals(problem.rig, problem.goals, computePose(problem.rig, problem.start));
        ASSERT_TRUE(by_pose) << describe(by_pose.error());
        EXPECT_NEAR(by_pose->cost, by_dofs.cost, 1e-9 * (1.0 + by_dofs.cost));
        for (std::size_t g = 0; g < problem.goals.size(); ++g)
            EXPECT_NEAR(by_pose->goals[g].error, by_dofs.goals[g].error, 1e-7);
    }
}

TEST(EvaluateGoals, StretchCountsAsInASolve) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    Pose base = restPose(person);
    base[person.find("LeftElbow")].translation *= 1.5;
    const std::vector<IkGoal> goals = {
        {.kind = PositionGoal{.joint = hand, .target = {0.5, 1.2, 0.4}}}};
    Result<IkSolver> solver = IkSolver::make(person, goals);
    ASSERT_TRUE(solver);
    ASSERT_TRUE(solver->setBase(base));
    DofVector dofs(person.dofCount(), 0.0);
    const IkReport report = solver->solve(dofs);
    const IkEvaluation stretched = mustEvaluate(person, goals, dofs, {.base = &base});
    EXPECT_NEAR(stretched.goals[0].error, report.goal_errors[0], 1e-9);
    EXPECT_GT(mustEvaluate(person, goals, dofs).goals[0].error, 0.01);
    Pose pose = base;
    applyDofs(person, dofs, pose);
    const Result<IkEvaluation> at_pose = evaluateGoals(person, goals, pose);
    ASSERT_TRUE(at_pose);
    EXPECT_NEAR(at_pose->goals[0].error, report.goal_errors[0], 1e-9);
}

TEST(EvaluateGoals, AnglesAreLengthsOnABodyOneReachLong) {
    const Skeleton person = limitedPerson();
    const JointId head = person.find("Head");
    const std::vector<IkGoal> goals = {
        {.kind = OrientationGoal{head, quatAboutAxis(1, 0.3)}, .weight = 2.0},
        {.kind = PositionGoal{.joint = person.find("Hips"), .target = {0, 1, 0.1}}},
        {.kind = PositionGoal{.joint = head}, .enabled = false}};
    const DofVector dofs(person.dofCount(), 0.0);
    const IkEvaluation at = mustEvaluate(person, goals, dofs, {.gradient = true, .jacobian = true});
    const double sine = 2.0 * std::sin(0.15) * at.reach;
    EXPECT_NEAR(at.goals[0].error, 0.3, 1e-12);
    EXPECT_NEAR(at.goals[0].cost, sine * sine, 1e-12);
    EXPECT_NEAR(at.goals[1].residual[2], -0.1, 1e-15);
    EXPECT_NEAR(at.goals[1].cost, 0.005, 1e-15);
    EXPECT_NEAR(at.cost, sine * sine + 0.005, 1e-12);
    // The last is switched off.
    EXPECT_EQ(at.goals[2].error, 0.0);
    EXPECT_EQ(at.goals[2].cost, 0.0);
    EXPECT_EQ(at.row_count, 9U);
    for (std::size_t i = 6 * dofs.size(); i < 9 * dofs.size(); ++i) EXPECT_EQ(at.jacobian[i], 0.0);
}

TEST(EvaluateGoals, ErrorsNameWhatIsInvalid) {
    const Skeleton person = limitedPerson();
    const std::vector<IkGoal> goals = {{.kind = PositionGoal{.joint = person.find("LeftHand")}}};
    DofVector dofs(person.dofCount(), 0.0);
    EXPECT_FALSE(evaluateGoals(person, std::vector<IkGoal>{}, dofs));
    Pose base = restPose(person);
    base[person.find("Chest")].scale = {1, 2, 1};
    const Result<IkEvaluation> scaled = evaluateGoals(person, goals, dofs, {.base = &base});
    ASSERT_FALSE(scaled);
    EXPECT_NE(describe(scaled.error()).find("'Chest'"), std::string::npos);
    EXPECT_FALSE(evaluateGoals(person, goals, base));
    dofs[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(evaluateGoals(person, goals, dofs));
    Pose nowhere = restPose(person);
    nowhere[person.find("Chest")].translation.x = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(evaluateGoals(person, goals, nowhere));
}

}  // namespace
}  // namespace ulna::test
