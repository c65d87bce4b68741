// SPDX-License-Identifier: Apache-2.0

// Solves end when their budget is spent, with an answer that is as valid as any.
#include <gtest/gtest.h>

#include <string>

#include "support/random_rigs.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/solver.h"

namespace ulna::test {
namespace {

RandomProblem makeProblem(int seed) {
    Random random(static_cast<std::uint64_t>(seed) + 4000);
    RandomProblem out;
    out.rig = randomRig(random, {.least_joints = 6});
    out.goals = randomGoals(random, out.rig, {.reachable = false});
    if (seed % 3 == 0) out.goals.back().level = 2;
    out.start = randomAllowedDofs(random, out.rig);
    return out;
}

// Limits and errors of what a spent budget has left.
void expectValid(const RandomProblem& problem, const IkReport& report, const DofVector& answer) {
    EXPECT_LT(plainExcess(problem.rig, answer), 1e-9);
    const std::vector<PlainMatrix> model = plainModel(problem.rig, answer);
    for (std::size_t g = 0; g < problem.goals.size(); ++g)
        EXPECT_NEAR(report.goal_errors[g], plainError(problem.goals[g].kind, model), 1e-7);
}

TEST(Budget, OfIterationsBoundsAllAttemptsTogetherAndTheAnswerIsValid) {
    int stopped = 0;
    for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const RandomProblem problem = makeProblem(seed);
        for (const IkMethod method : {IkMethod::Auto, IkMethod::Dls, IkMethod::Transpose}) {
            const bool levels = problem.goals.back().level == 2;
            if (levels && method != IkMethod::Auto) continue;
            const IkOptions options{.method = method, .restarts = 5, .budget = {.iterations = 7}};
            Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, options);
            ASSERT_TRUE(solver);
            DofVector answer = problem.start;
            const IkReport report = solver->solve(answer);
            EXPECT_LE(report.iterations, 8);
            stopped += report.status == IkStatus::Stopped ? 1 : 0;
            expectValid(problem, report, answer);
        }
    }
    EXPECT_GT(stopped, 60);
}

TEST(Budget, ADeadlineThatHasPassedLeavesTheStart) {
    const RandomProblem problem = makeProblem(1);
    const IkOptions options{.budget = {.deadline = std::chrono::steady_clock::now()},
                            .continuity = true};
    DofVector answer = problem.start;
    const Result<IkReport> report = solveIk(problem.rig, problem.goals, options, answer);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->status, IkStatus::Stopped);
    EXPECT_EQ(report->iterations, 0);
    EXPECT_EQ(ikStatusName(report->status), "stopped");
    for (std::size_t d = 0; d < answer.size(); ++d) EXPECT_NEAR(answer[d], problem.start[d], 1e-12);
    expectValid(problem, *report, answer);
}

TEST(Budget, AnObserverSeesEveryIterationAndMayEndTheSolve) {
    const RandomProblem problem = makeProblem(2);
    std::vector<SolveProgress> seen;
    IkOptions options;
    options.budget.observer = [&](const SolveProgress& progress) {
        seen.push_back(progress);
        return true;
    };
    DofVector whole = problem.start, plain = problem.start, cut = problem.start;
    const Result<IkReport> report = solveIk(problem.rig, problem.goals, options, whole);
    ASSERT_TRUE(report);
    ASSERT_TRUE(solveIk(problem.rig, problem.goals, {}, plain));
    EXPECT_EQ(whole, plain);  // watching changes nothing
    ASSERT_GT(seen.size(), 3U);
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_GE(seen[i].iterations, seen[i - 1].iterations);
        EXPECT_LE(seen[i].cost, seen[i - 1].cost * (1.0 + 1e-12));
    }
    // Asked once to end, it ends, whatever the observer would say later.
    int calls = 0;
    options.budget.observer = [&](const SolveProgress&) { return ++calls != 3; };
    const Result<IkReport> stopped = solveIk(problem.rig, problem.goals, options, cut);
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->status, IkStatus::Stopped);
    EXPECT_EQ(calls, 3);
    expectValid(problem, *stopped, cut);
}

TEST(Budget, AStopFlagEndsEveryProblemOfABatch) {
    Random random(9);
    const Skeleton rig = randomRig(random, {.least_joints = 8, .limits = false});
    const std::vector<IkGoal> goals = randomGoals(random, rig, {.positions_only = true});
    IkBatchProblems problems{.count = 30};
    for (std::size_t i = 0; i < problems.count * goals.size(); ++i)
        problems.points.push_back(random.direction() * 5.0);
    const std::atomic<bool> stop = true;
    const IkOptions options{.budget = {.stop = &stop}};
    const Result<IkBatchResult> result = solveIkBatch(rig, goals, options, problems);
    ASSERT_TRUE(result);
    for (const IkBatchReport& report : result->reports) {
        EXPECT_EQ(report.status, IkStatus::Stopped);
        EXPECT_LE(report.iterations, 1);
    }
    EXPECT_EQ(result->dofs.size(), problems.count * rig.dofCount());
}

TEST(Budget, ANewDeadlineForEverySolve) {
    const RandomProblem problem = makeProblem(4);
    Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals);
    ASSERT_TRUE(solver);
    DofVector first = problem.start, second = problem.start;
    solver->setBudget({.deadline = std::chrono::steady_clock::now()});
    EXPECT_EQ(solver->solve(first).status, IkStatus::Stopped);
    solver->setBudget({});
    EXPECT_NE(solver->solve(second).status, IkStatus::Stopped);
}

}  // namespace
}  // namespace ulna::test
