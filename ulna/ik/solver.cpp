// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/ccd.h"
#include "ulna/ik/detail/classic.h"
#include "ulna/ik/detail/fabrik.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/restart.h"

namespace ulna {

struct IkSolver::State {
    detail::Problem problem;
    detail::LeastSquares least_squares;
    detail::Classic classic;
    detail::Ccd ccd;
    detail::Fabrik fabrik;
    detail::Evaluation now, best;
    detail::Coordinates start;
    Pose base;
    IkReport report;
    std::uint64_t problem_number = 0;

    void run();
    detail::Outcome solveAuto();
};

IkSolver::IkSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
IkSolver::IkSolver(IkSolver&&) noexcept = default;
IkSolver& IkSolver::operator=(IkSolver&&) noexcept = default;
IkSolver::~IkSolver() = default;

namespace {

// Whether the method can do such goals at all; the error says what it can.
Status checkMethod(const detail::Problem& problem) {
    const IkMethod method = problem.options().method;
    const std::string name(ikMethodName(method));
    if (method != IkMethod::Auto && problem.hasLevelTwo())
        return Diagnostic{name + " has no priorities", {}, {}, "use auto for goals of level 2"};
    if (method != IkMethod::Ccd && method != IkMethod::Fabrik && method != IkMethod::TwoBone)
        return Done{};
    for (const IkGoal& goal : problem.goals()) {
        if (std::holds_alternative<PositionGoal>(goal.wish)) continue;
        return Diagnostic{name + " can only do positions, not a goal of kind " +
                              std::string(goalKindName(goal.wish)),
                          {},
                          {},
                          "use auto for other goals"};
    }
    return Done{};
}

}  // namespace

Result<IkSolver> IkSolver::make(const Skeleton& skeleton, std::vector<IkGoal> goals,
                                IkOptions options) {
    auto state = std::make_unique<State>();
    if (const Status status = state->problem.build(skeleton, std::move(goals), std::move(options));
        !status)
        return status.error();
    const detail::Problem& problem = state->problem;
    if (const Status status = checkMethod(problem); !status) return status.error();
    switch (problem.options().method) {
        case IkMethod::Auto:
            state->least_squares.build(problem);
            state->least_squares.recordHistory(problem.options().record_history);
            state->fabrik.build(problem);
            break;
        case IkMethod::Ccd:
            state->ccd.build(problem);
            break;
        case IkMethod::Fabrik:
            state->fabrik.build(problem);
            break;
        case IkMethod::TwoBone:
            break;
        default:
            state->classic.build(problem);
            break;
    }
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

detail::Outcome IkSolver::State::solveAuto() {
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
    return outcome;
}

void IkSolver::State::run() {
    const IkOptions& options = problem.options();
    const auto most = [&](int usual) {
        return options.max_iterations > 0 ? options.max_iterations : usual;
    };
    detail::Outcome outcome = detail::Outcome::Stalled;
    switch (options.method) {
        case IkMethod::Auto:
            outcome = solveAuto();
            break;
        case IkMethod::Ccd:
            outcome = ccd.solve(problem, now, most(500), report);
            break;
        case IkMethod::Fabrik:
            outcome = fabrik.solve(problem, now, most(1000), report);
            break;
        case IkMethod::TwoBone:
            break;
        default:
            outcome = classic.solve(problem, now, most(1000), report);
            report.gradient = classic.gradient();
            break;
    }
    report.status = outcome == detail::Outcome::Reached      ? IkStatus::Reached
                    : outcome == detail::Outcome::Stationary ? IkStatus::OutOfReach
                    : outcome == detail::Outcome::Stalled    ? IkStatus::Stalled
                                                             : IkStatus::MaxIterations;
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
    s.run();
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
