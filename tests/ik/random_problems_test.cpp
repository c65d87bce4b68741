// SPDX-License-Identifier: Apache-2.0

// What every solve promises, on random skeletons and goals, judged by plain matrices: limits hold,
// reports are true, and the same problem has the same answer.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/random_rigs.h"
#include "ulna/ik/solver.h"

namespace ulna::test {
namespace {

RandomProblem makeProblem(int seed, const RandomGoalOptions& goals) {
    Random random(static_cast<std::uint64_t>(seed) + 1000);
    RandomProblem out;
    out.rig = randomRig(random, {.planar = seed % 7 == 0});
    out.goals = randomGoals(random, out.rig, goals);
    out.start = randomAllowedDofs(random, out.rig);
    return out;
}

// Limits, and every error of the report, as the answer itself shows them.
void expectTrueReport(const RandomProblem& problem, const IkSolver& solver, const IkReport& report,
                      const DofVector& answer, double angle_tolerance) {
    EXPECT_LT(plainExcess(problem.rig, answer), 1e-9);
    const std::vector<PlainMatrix> model = plainModel(problem.rig, answer);
    ASSERT_EQ(report.goal_errors.size(), problem.goals.size());
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
        const GoalKind& kind = problem.goals[g].kind;
        const double error = plainError(kind, model);
        EXPECT_NEAR(report.goal_errors[g], error, 1e-7) << goalKindName(kind);
        const bool angle =
            std::holds_alternative<OrientationGoal>(kind) || std::holds_alternative<AimGoal>(kind);
        if (report.status == IkStatus::Reached) {
            EXPECT_LE(error, (angle ? angle_tolerance : solver.positionTolerance()) * 1.001)
                << goalKindName(kind);
        }
    }
}

TEST(RandomProblems, LimitsHoldAndReportsAreTrueWhateverBecameOfTheGoals) {
    constexpr int kProblems = 300;
    std::map<IkStatus, int> seen;
    for (int seed = 0; seed < kProblems; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed, {.reachable = seed % 2 == 0});
        IkOptions options;
        if (seed % 4 == 0) options.restarts = 3;
        Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, options);
        ASSERT_TRUE(solver) << describe(solver.error());
        DofVector answer = problem.start;
        const IkReport report = solver->solve(answer);
        ++seen[report.status];
        expectTrueReport(problem, *solver, report, answer, options.angle_tolerance);
    }
    // Most targets of allowed poses are found, and targets anywhere are mostly out of reach.
    EXPECT_GT(seen[IkStatus::Reached], kProblems / 3);
    EXPECT_GT(seen[IkStatus::OutOfReach], kProblems / 4);
    EXPECT_EQ(seen[IkStatus::BadGoal], 0);
}

TEST(RandomProblems, ASolverThatIsKeptGivesTheBytesOfANewOne) {
    for (int seed = 0; seed < 100; ++seed) {
        const RandomProblem problem = makeProblem(seed, {.reachable = seed % 2 == 0});
        Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals);
        ASSERT_TRUE(solver);
        DofVector first = problem.start, second = problem.start, third = problem.start;
        solver->solve(first);
        solver->solve(second);
        ASSERT_TRUE(solveIk(problem.rig, problem.goals, {}, third));
        EXPECT_EQ(first, second) << "seed " << seed;
        EXPECT_EQ(first, third) << "seed " << seed;
    }
}

TEST(RandomProblems, JointsBesideTheGoalsStayWhereTheyAre) {
    for (int seed = 0; seed < 150; ++seed) {
        const RandomProblem problem = makeProblem(seed, {.most = 2, .positions_only = true});
        DofVector answer = problem.start;
        ASSERT_TRUE(solveIk(problem.rig, problem.goals, {}, answer));
        for (const JointId j : problem.rig.joints()) {
            bool above = false;
            for (const IkGoal& goal : problem.goals) {
                const JointId held = std::get<PositionGoal>(goal.kind).joint;
                above = above || j == held || problem.rig.isAncestor(j, held);
            }
            if (above) continue;
            for (std::size_t d = 0; d < problem.rig.dofCount(j); ++d) {
                const std::size_t at = problem.rig.firstDof(j) + d;
                EXPECT_NEAR(answer[at], problem.start[at], 1e-12)
                    << "seed " << seed << " " << problem.rig.dofName(at);
            }
        }
    }
}

TEST(RandomProblems, LockedJointsStayAndTheReportCountsThem) {
    for (int seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProblem problem = makeProblem(seed, {});
        const JointId locked = jointId(problem.rig.jointCount() / 2);
        const IkOptions options{.locked = {locked}};
        Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, options);
        ASSERT_TRUE(solver);
        DofVector answer = problem.start;
        const IkReport report = solver->solve(answer);
        const std::span<const double> before = ownDofs(problem.rig, locked, problem.start);
        const std::span<const double> after = ownDofs(problem.rig, locked, answer);
        EXPECT_LT(plainDifference(plainJoint(problem.rig, locked, before),
                                  plainJoint(problem.rig, locked, after)),
                  1e-9);
        expectTrueReport(problem, *solver, report, answer, options.angle_tolerance);
    }
}

TEST(RandomProblems, EveryMethodHoldsLimitsAndReportsTheTruth) {
    for (int seed = 0; seed < 60; ++seed) {
        const RandomProblem problem =
            makeProblem(seed, {.most = 2, .reachable = seed % 3 != 0, .positions_only = true});
        for (const IkMethod method : kAllIkMethods) {
            SCOPED_TRACE(std::string(ikMethodName(method)) + ", seed " + std::to_string(seed));
            Result<IkSolver> solver =
                IkSolver::make(problem.rig, problem.goals, {.method = method});
            if (!solver) {
                EXPECT_FALSE(solver.error().what.empty());  // it says what it cannot do
                EXPECT_NE(method, IkMethod::Auto);
                continue;
            }
            DofVector answer = problem.start;
            const IkReport report = solver->solve(answer);
            expectTrueReport(problem, *solver, report, answer, IkOptions{}.angle_tolerance);
        }
    }
}

TEST(RandomProblems, TheDefaultMethodFindsWhatMostOfTheOthersMiss) {
    constexpr int kProblems = 120;
    std::map<IkMethod, int> reached;
    for (int seed = 0; seed < kProblems; ++seed) {
        const RandomProblem problem = makeProblem(seed, {.most = 2, .positions_only = true});
        for (const IkMethod method : {IkMethod::Auto, IkMethod::Ccd, IkMethod::Dls}) {
            DofVector answer = problem.start;
            const Result<IkReport> report =
                solveIk(problem.rig, problem.goals, {.method = method, .restarts = 8}, answer);
            if (report && report->status == IkStatus::Reached) ++reached[method];
        }
    }
    EXPECT_GE(reached[IkMethod::Auto], kProblems * 95 / 100);
    EXPECT_GT(reached[IkMethod::Auto], reached[IkMethod::Ccd]);
    EXPECT_GE(reached[IkMethod::Auto], reached[IkMethod::Dls]);
}

}  // namespace
}  // namespace ulna::test
