// SPDX-License-Identifier: Apache-2.0
#include "stress/families.h"
#include "stress/problem.h"

namespace ulna::test::stress {

void stressMethods(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    Problem problem{.rig = randomRig(random, randomRigOptions(random))};
    // Most methods know positions alone.
    problem.goals = randomGoals(
        random, problem.rig,
        {.most = 3, .reachable = chance(random, 0.5), .positions_only = chance(random, 0.6)});
    problem.start = randomStart(random, problem.rig);
    for (const IkMethod method : kAllIkMethods) {
        const std::string name(ikMethodName(method));
        problem.options = {.method = method};
        Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, problem.options);
        if (!solver) {
            ledger.count(name + " refused");
            continue;
        }
        DofVector answer = problem.start, again = problem.start;
        const IkReport report =
            ledger.time(problem.rig.dofCount(), [&] { return solver->solve(answer); });
        ledger.count(name + " " + std::string(ikStatusName(report.status)));
        lookAtAnswer(problem, *solver, report, answer, ledger, ", " + name);
        solver->solve(again);
        ledger.look("a solver that is kept gives the same bytes, " + name, again == answer);
    }
}

}  // namespace ulna::test::stress
