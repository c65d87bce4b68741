// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/restart.h"

namespace ulna {

struct IkSolver::State {
    detail::Problem problem;
    detail::LeastSquares least_squares;
    detail::Evaluation now, best;
    detail::Coordinates start;
    Pose base;
    IkReport report;
    std::uint64_t problem_number = 0;

    void solveAuto();
    void finish(detail::Outcome outcome);
};

IkSolver::IkSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
IkSolver::IkSolver(IkSolver&&) noexcept = default;
IkSolver& IkSolver::operator=(IkSolver&&) noexcept = default;
IkSolver::~IkSolver() = default;

Result<IkSolver> IkSolver::make(const Skeleton& skeleton, std::vector<IkGoal> goals,
                                IkOptions options) {
    auto state = std::make_unique<State>();
    if (const Status status = state->problem.build(skeleton, std::move(goals), std::move(options));
        !status)
        return status.error();
    state->least_squares.build(state->problem);
    state->least_squares.recordHistory(state->problem.options().record_history);
    state->base = restPose(skeleton);
    return IkSolver(std::move(state));
}

std::span<IkGoal> IkSolver::goals() {
    return state_->problem.goals();
}
std::span<const IkGoal> IkSolver::goals() const {
    return state_->problem.goals();
}
void IkSolver::setProblemNumber(std::uint64_t number) {
    state_->problem_number = number;
}
double IkSolver::positionTolerance() const {
    return state_->problem.positionTolerance();
}
double IkSolver::reach() const {
    return state_->problem.reach();
}

void IkSolver::State::finish(detail::Outcome outcome) {
    report.status = outcome == detail::Outcome::Reached      ? IkStatus::Reached
                    : outcome == detail::Outcome::Stationary ? IkStatus::OutOfReach
                    : outcome == detail::Outcome::Stalled    ? IkStatus::Stalled
                                                             : IkStatus::MaxIterations;
}

void IkSolver::State::solveAuto() {
    const IkOptions& options = problem.options();
    const int most = options.max_iterations > 0 ? options.max_iterations : 100;
    const int restarts = options.continuity ? 0 : options.restarts;
    detail::Outcome outcome = least_squares.descend(problem, now, most, report);
    if (outcome != detail::Outcome::Reached && restarts > 0) {
        best = now;
        for (int attempt = 1; attempt <= restarts; ++attempt) {
            ++report.attempts;
            detail::chooseStart(problem.mechanism(), options.seed, problem_number,
                                static_cast<std::uint64_t>(attempt), start, now.at);
            problem.evaluate(now);
            outcome = least_squares.descend(problem, now, most, report);
            if (outcome == detail::Outcome::Reached) break;
            if (now.total() < best.total()) std::swap(now, best);
        }
        if (outcome != detail::Outcome::Reached) std::swap(now, best);
    }
    if (outcome != detail::Outcome::Reached)
        outcome = least_squares.polish(problem, now, most, report);
    report.gradient = least_squares.gradient();
    finish(outcome);
}

const IkReport& IkSolver::solve(std::span<double> dofs) {
    State& s = *state_;
    s.report.iterations = 0;
    s.report.attempts = 1;
    s.report.history.clear();
    s.report.gradient = 0.0;
    if (!s.problem.begin(s.base, dofs)) {
        s.report.status = IkStatus::BadGoal;
        s.report.goal_errors.assign(s.problem.goals().size(), 0.0);
        return s.report;
    }
    s.problem.mechanism().load(dofs, s.start);
    s.now.at = s.start;
    s.problem.evaluate(s.now);
    if (s.problem.options().record_history) s.report.history.push_back(s.now.worst);
    s.solveAuto();
    s.problem.mechanism().store(s.now.at, dofs);
    s.report.cost = s.now.cost[0] + s.now.cost[1];
    s.report.goal_errors = s.now.errors;
    return s.report;
}

Result<IkReport> solveIk(const Skeleton& skeleton, std::span<const IkGoal> goals,
                         const IkOptions& options, DofVector& dofs) {
    Result<IkSolver> solver =
        IkSolver::make(skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
    if (!solver) return solver.error();
    return solver->solve(dofs);
}

}  // namespace ulna
