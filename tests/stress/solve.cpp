// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stress/families.h"
#include "stress/problem.h"
#include "ulna/skeleton/size.h"

namespace ulna::test::stress {
namespace {

// How much of the cost small allowed moves save: along the gradient, and by chance.
class Neighbourhood {
  public:
    Neighbourhood(const Problem& problem, double reach, const DofVector& answer)
        : problem_(problem), reach_(reach), answer_(answer), cost_(costAt(answer)), best_(cost_) {
        const std::vector<bool> moves = movableJoints(problem);
        for (std::size_t d = 0; d < answer.size(); ++d)
            if (moves[index(problem.rig.jointOfDof(d))] && !follows(d)) free_.push_back(d);
    }

    [[nodiscard]] double savedShare(Random& random) {
        // Nothing to save where the cost is rounding.
        if (free_.empty() || cost_ < 1e-14 * reach_ * reach_) return 0.0;
        const std::vector<double> downhill = slope();
        for (double step = 0.025; step > 1e-8; step *= 0.25) attempt(downhill, step);
        std::vector<double> along(free_.size());
        for (int i = 0; i < 30; ++i) {
            const bool all = chance(random, 0.5);
            for (double& a : along) a = all ? random.between(-1.0, 1.0) : 0.0;
            if (!all) along[random.below(along.size())] = chance(random, 0.5) ? 1.0 : -1.0;
            for (const double step : {1e-2, 1e-4}) attempt(along, step);
        }
        return (cost_ - best_) / cost_;
    }

  private:
    [[nodiscard]] bool follows(std::size_t dof) const {
        const auto couplings = problem_.rig.couplings();
        return std::any_of(couplings.begin(), couplings.end(),
                           [&](const DofCoupling& c) { return c.dof == dof; });
    }

    [[nodiscard]] double costAt(DofVector dofs) const {
        applyCouplings(problem_.rig, dofs);
        return plainCost(problem_.goals, plainModel(problem_.rig, dofs), reach_);
    }

    // Minus the gradient by central differences, without what points out of the limits.
    [[nodiscard]] std::vector<double> slope() const {
        constexpr double kStep = 1e-6;
        std::vector<double> out;
        for (const std::size_t d : free_) {
            DofVector up = answer_, down = answer_;
            up[d] += kStep;
            down[d] -= kStep;
            const double s = (costAt(down) - costAt(up)) / (2.0 * kStep);
            const DofLimit& limit = problem_.rig.dofLimits()[d];
            const bool blocked =
                s > 0.0 ? answer_[d] > limit.max - 1e-9 : answer_[d] < limit.min + 1e-9;
            out.push_back(blocked ? 0.0 : s);
        }
        return out;
    }

    void attempt(const std::vector<double>& along, double step) {
        double size = 0.0;
        for (const double a : along) size += a * a;
        if (size == 0.0) return;
        DofVector next = answer_;
        for (std::size_t i = 0; i < free_.size(); ++i)
            next[free_[i]] += step * along[i] / std::sqrt(size);
        clampToLimits(problem_.rig, next);
        best_ = std::min(best_, costAt(next));
    }

    const Problem& problem_;
    double reach_;
    const DofVector& answer_;
    std::vector<std::size_t> free_;
    double cost_, best_;
};

void lookAtWhoMoved(const Problem& problem, const DofVector& answer, Ledger& ledger) {
    DofVector before = problem.start;
    clampToLimits(problem.rig, before);
    const std::vector<bool> moves = movableJoints(problem);
    double most = 0.0;
    for (std::size_t d = 0; d < answer.size(); ++d) {
        if (!moves[index(problem.rig.jointOfDof(d))])
            most = std::max(most, std::abs(answer[d] - before[d]));
    }
    ledger.look("locked joints, and joints that no goal asks to move, stay", most, 1e-12);
}

void lookAtEqualBytes(const Problem& problem, IkSolver& solver, const DofVector& answer,
                      Ledger& ledger) {
    DofVector kept = problem.start, fresh = problem.start;
    solver.solve(kept);
    ledger.look("a solver that is kept gives the same bytes", kept == answer);
    const auto other = solveIk(problem.rig, problem.goals, problem.options, fresh);
    ledger.look("a new solver gives the same bytes", other.ok() && fresh == answer);
}

void lookAtPoses(const Problem& problem, IkSolver& solver, Ledger& ledger) {
    DofVector inside = problem.start;
    clampToLimits(problem.rig, inside);
    Pose pose = computePose(problem.rig, inside);
    const IkReport report = solver.solve(pose);
    const std::string about = describe(problem, report);
    ledger.look("from a pose: rotations that joints allow", poseExcess(problem.rig, pose), 1e-8,
                about);
    const std::vector<PlainMatrix> model = plainModel(problem.rig, pose);
    for (std::size_t g = 0; isDetermined(problem, model) && g < problem.goals.size(); ++g) {
        const IkGoal& goal = problem.goals[g];
        if (!goal.enabled) continue;
        ledger.look("from a pose: goal errors are true",
                    std::abs(plainError(goal.kind, model) - report.goal_errors[g]), 1e-7, about);
    }
    if (report.status == IkStatus::Reached)
        ledger.look("from a pose: reached is true", allMet(problem, solver, model), about);
    Pose again = pose;
    solver.solve(again);
    ledger.look("from a pose: solved again, it stays: " + std::string(ikStatusName(report.status)),
                movedBetween(problem.rig, pose, again, solver.reach()), 1e-6, about);
}

// A power of two multiplies without rounding.
void lookAtUnits(const Problem& problem, double reach, const IkReport& report,
                 const DofVector& answer, Ledger& ledger) {
    constexpr double kFactor = 1024.0;
    const Problem large = scaled(problem, kFactor);
    // Where all joints are at one position there is no length to go by.
    if (bodySize(large.rig) != kFactor * bodySize(problem.rig)) {
        ledger.count("not judged: a rig without size");
        return;
    }
    DofVector dofs = large.start;
    const auto other = solveIk(large.rig, large.goals, large.options, dofs);
    for (std::size_t d = 0; d < dofs.size(); ++d)
        if (!problem.rig.isAngle(d)) dofs[d] /= kFactor;
    ledger.look("1024 times larger, the answer is 1024 times larger",
                other.ok() ? movedBetween(problem.rig, answer, dofs, reach) : 1e9, 1e-6,
                describe(problem, report));
}

void solveOne(const Problem& problem, Random& random, Ledger& ledger) {
    Result<IkSolver> solver = IkSolver::make(problem.rig, problem.goals, problem.options);
    if (!solver) {
        ledger.count("refused");
        ledger.look("only a chain without a goal is refused",
                    problem.options.chain != JointId::None, solver.error().what);
        return;
    }
    DofVector answer = problem.start;
    const IkReport report =
        ledger.time(problem.rig.dofCount(), [&] { return solver->solve(answer); });
    ledger.count("status " + std::string(ikStatusName(report.status)));
    lookAtAnswer(problem, *solver, report, answer, ledger);
    lookAtWhoMoved(problem, answer, ledger);
    lookAtEqualBytes(problem, *solver, answer, ledger);
    lookAtStillness(problem, *solver, report, answer, ledger);
    lookAtPoses(problem, *solver, ledger);
    lookAtUnits(problem, solver->reach(), report, answer, ledger);
    if (report.status == IkStatus::OutOfReach && !hasPosture(problem.goals)) {
        Neighbourhood near(problem, solver->reach(), answer);
        ledger.look("out of reach is a minimum: what small moves save of the cost",
                    near.savedShare(random), 1e-7, describe(problem, report));
    }
}

}  // namespace

void stressSolve(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    const Problem problem = randomProblem(random);
    solveOne(problem, random, ledger);
}

void stressCoupled(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    const Problem problem = randomCoupledProblem(random);
    if (problem.rig.couplings().empty()) {
        ledger.count("not judged: nothing follows anything");
        return;
    }
    solveOne(problem, random, ledger);
}

}  // namespace ulna::test::stress
