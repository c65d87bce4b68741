// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stress/families.h"
#include "stress/problem.h"

namespace ulna::test::stress {
namespace {

bool hasLevel(const Problem& problem, int level) {
    return std::any_of(problem.goals.begin(), problem.goals.end(), [&](const IkGoal& goal) {
        return goal.enabled && goal.level == level &&
               !std::holds_alternative<PostureGoal>(goal.kind);
    });
}

// Root mean square residual, in reaches.
double errorOf(const Problem& problem, const DofVector& dofs, double reach) {
    double weight = 0.0;
    for (const IkGoal& goal : problem.goals) weight += goal.enabled ? goal.weight : 0.0;
    const double cost = plainCost(problem.goals, plainModel(problem.rig, dofs), reach);
    return std::sqrt(2.0 * cost / weight) / reach;
}

}  // namespace

void stressLevels(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    RandomRigOptions rig = randomRigOptions(random);
    rig.least_joints = 4;
    Problem both{.rig = randomRig(random, rig)};
    both.goals = randomGoals(random, both.rig,
                             {.most = 6,
                              .reachable = chance(random, 0.4),
                              .every_goal = chance(random, 0.5),
                              .two_levels = true});
    if (chance(random, 0.2)) both.options.restarts = 3;
    both.start = randomStart(random, both.rig);
    if (!hasLevel(both, 1) || !hasLevel(both, 2)) return;
    // Level 1 as it is without the other goals.
    Problem first = both;
    std::erase_if(first.goals, [](const IkGoal& goal) {
        return goal.level == 2 || std::holds_alternative<PostureGoal>(goal.kind);
    });
    Result<IkSolver> first_solver = IkSolver::make(first.rig, first.goals, first.options);
    Result<IkSolver> solver = IkSolver::make(both.rig, both.goals, both.options);
    ledger.look("goals of two levels are accepted", first_solver.ok() && solver.ok());
    if (!first_solver || !solver) return;

    DofVector alone = both.start, together = both.start;
    const IkReport first_report = first_solver->solve(alone);
    const IkReport report =
        ledger.time(both.rig.dofCount(), [&] { return solver->solve(together); });
    ledger.count("status " + std::string(ikStatusName(report.status)));
    lookAtAnswer(both, *solver, report, together, ledger);

    const std::string about =
        "alone " + std::string(ikStatusName(first_report.status)) + " " + describe(both, report);
    const auto lookAtLevelOne = [&](const std::string& from, const DofVector& answer) {
        if (!isDetermined(both, plainModel(both.rig, answer))) return;
        if (first_report.status == IkStatus::Reached) {
            ledger.look("level 1 that is met alone is met with level 2, " + from,
                        allMet(first, *solver, plainModel(both.rig, answer)), about);
        } else {
            const double reach = solver->reach();
            ledger.look("level 2 does not cost level 1, " + from,
                        errorOf(first, answer, reach) - errorOf(first, alone, reach), 1e-6, about);
        }
    };
    lookAtLevelOne("from the same start", together);
    DofVector onwards = alone;
    solver->solve(onwards);
    lookAtLevelOne("from the answer of level 1", onwards);

    lookAtStillness(both, *solver, report, together, ledger);
    DofVector kept = both.start;
    solver->solve(kept);
    ledger.look("a solver that is kept gives the same bytes", kept == together, about);
}

}  // namespace ulna::test::stress
