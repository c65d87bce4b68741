// SPDX-License-Identifier: Apache-2.0

// Levenberg (1944), Marquardt (1963); damping by the cost after Sugihara, "Solvability-unconcerned
// inverse kinematics by the Levenberg-Marquardt method" (2011).
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

void LeastSquares::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    const std::size_t m = problem.rowCount();
    use_tree_ = m > kDualRows && !problem.joinsBodies() && !problem.hasLevelTwo();
    for (std::vector<double>* v :
         {&gradient_, &down_, &up_, &step_, &moves_, &pull_, &divide_, &to_bound_})
        v->assign(n, 0.0);
    state_.assign(n, Free);
    released_.assign(n, 0);
    std::fill(down_.begin(), down_.end(), -std::numeric_limits<double>::infinity());
    std::fill(up_.begin(), up_.end(), std::numeric_limits<double>::infinity());
    if (!use_tree_) {
        dual_.assign(m * m, 0.0);
        factor_.assign(m * m, 0.0);
    }
    rhs_.assign(m, 0.0);
    column_.assign(m, 0.0);
    free_.reserve(n);
    above_.reserve(n);
    if (n <= kNewtonColumns) {
        hessian_.reserve(n * n);
        newton_.reserve(n * n);
    }
    newton_rhs_.reserve(n);
    if (problem.hasLevelTwo()) {
        const std::size_t m1 = problem.levelOneRows();
        level_one_.assign(m1 * m1, 0.0);
        level_two_.assign((m - m1) * (m - m1), 0.0);
        second_.assign(m1 * (m - m1), 0.0);
        first_rhs_.assign(m1, 0.0);
        first_solution_.assign(m, 0.0);
        if (n <= kNewtonColumns) projector_.reserve(n * n);
        eigen_.compute(level_one_, m1);
    }
    problem.size(candidate_);
    problem.size(trial_);
    tree_.build(problem);
}

// Whether the gradient pushes a coordinate against a bound it stands at.
bool LeastSquares::isBlocked(std::size_t c) const {
    return gradient_[c] < 0.0   ? up_[c] <= 0.0
           : gradient_[c] > 0.0 ? down_[c] >= 0.0
                                : up_[c] <= down_[c];
}

// Derivatives, room, and coordinates blocked at their bounds, at `now`.
void LeastSquares::prepare(Problem& problem, const Evaluation& now) {
    if (use_tree_ && !newton_steps_) {
        problem.computeTwists(now);
        tree_.linearize(problem, now, gradient_);
    } else {
        problem.linearize(now);
        problem.computePostureGradient(now, pull_);
        gradient_ = pull_;
        problem.addGoalGradient(now, 3, gradient_);
    }
    if (problem.mechanism().bounded()) problem.mechanism().computeRoom(now.at, down_, up_);
    stationarity_ = problem.stationarity(now, gradient_, down_, up_);
    for (std::size_t c = 0; c < gradient_.size() && problem.mechanism().bounded(); ++c) {
        const bool blocked = isBlocked(c);
        state_[c] = blocked ? Blocked : Free;
        if (blocked && (!use_tree_ || newton_steps_)) problem.freeze(c);
    }
    if (!use_tree_ && !newton_steps_ && !problem.hasPosture()) problem.assembleDual({}, dual_);
    fixed_any_ = false;
}

// Moves of the free coordinates from the dual system: with D = 1 + posture / damping,
// (J D^-1 Jt + damping) z = r - J D^-1 pull / damping,  step = -D^-1 (Jt z + pull / damping).
bool LeastSquares::solveDual(Problem& problem, double damping) {
    const std::size_t m = problem.rowCount();
    const std::size_t n = step_.size();
    const bool posture = problem.hasPosture();
    if (posture) {
        const auto curvature = problem.postureCurvature();
        for (std::size_t c = 0; c < n; ++c) {
            divide_[c] = 1.0 + curvature[c] / damping;
            moves_[c] = state_[c] == Free ? pull_[c] / (damping * divide_[c]) : 0.0;
        }
        problem.assembleDual(divide_, dual_);
        problem.apply(moves_, column_);
        for (std::size_t i = 0; i < m; ++i) column_[i] = rhs_[i] - column_[i];
    } else {
        column_ = rhs_;
    }
    factor_ = dual_;
    if (!solveShifted(factor_, m, damping, column_)) return false;
    problem.applyTransposed(column_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        if (state_[c] != Free) continue;
        step_[c] = posture ? -(moves_[c] + pull_[c] / damping) / divide_[c] : -moves_[c];
    }
    return true;
}

// Fixes free coordinates that the step carries past a bound at that bound, for good within this
// step. True when there were any.
bool LeastSquares::fixAtBounds(Problem& problem) {
    const auto scale = problem.columnScale();
    const std::size_t m = problem.rowCount();
    const bool posture = problem.hasPosture();
    bool any = false;
    for (std::size_t c = 0; c < step_.size(); ++c) {
        if (state_[c] != Free) continue;
        const double move = step_[c] * scale[c];
        if (move <= up_[c] && move >= down_[c]) continue;
        any = true;
        state_[c] = Fixed;
        step_[c] = (move > up_[c] ? up_[c] : down_[c]) / scale[c];
        if (use_tree_) continue;
        problem.computeColumn(c, column_);
        for (std::size_t i = 0; i < m; ++i) {
            if (column_[i] == 0.0) continue;
            rhs_[i] += column_[i] * step_[c];
            if (posture) continue;  // the dual system is assembled anew
            for (std::size_t j = 0; j <= i; ++j) dual_[i * m + j] -= column_[i] * column_[j];
        }
        problem.freeze(c);
    }
    fixed_any_ = fixed_any_ || any;
    return any;
}

// The damped step within bounds, in step_, per scaled coordinate.
bool LeastSquares::solveStep(Problem& problem, const Evaluation& now, double damping) {
    constexpr int kSolves = 3;  // one, and two more with newly fixed coordinates
    if (fixed_any_) {           // of a step that was rejected
        if (!use_tree_) problem.linearize(now);
        for (std::size_t c = 0; c < state_.size(); ++c) {
            if (state_[c] == Fixed) state_[c] = Free;
            if (state_[c] == Blocked && !use_tree_) problem.freeze(c);
        }
        if (!use_tree_ && !problem.hasPosture()) problem.assembleDual({}, dual_);
        fixed_any_ = false;
    }
    std::fill(step_.begin(), step_.end(), 0.0);
    rhs_ = now.residual;
    for (int i = 0; i < kSolves; ++i) {
        if (use_tree_)
            tree_.solve(problem, damping, state_, step_);
        else if (!solveDual(problem, damping))
            return false;
        if (!problem.mechanism().bounded() || !fixAtBounds(problem)) break;
    }
    return true;
}

// Moves `now` along step_ into candidate_, evaluated.
void LeastSquares::tryStep(Problem& problem, const Evaluation& now) {
    const auto scale = problem.columnScale();
    for (std::size_t c = 0; c < step_.size(); ++c) moves_[c] = step_[c] * scale[c];
    problem.mechanism().retract(now.at, moves_, candidate_.at);
    problem.evaluate(candidate_);
}

Outcome LeastSquares::descend(Problem& problem, Evaluation& now, int max_iterations,
                              IkReport& report, double enough) {
    const double floor = kDampingFloor * problem.reach() * problem.reach();
    double lambda = kStartDamping;
    int slow = 0;
    bool settled = !problem.hasPosture();  // goals reached and the posture at rest
    for (int iteration = 0;; ++iteration) {
        if (now.worst <= enough && settled) return Outcome::Reached;
        if (iteration >= max_iterations)
            return now.worst <= enough ? Outcome::Reached : Outcome::MaxIterations;
        prepare(problem, now);
        if (stationarity_ < kStationary)
            return now.worst <= enough ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        const double before = now.total();
        bool accepted = false;
        for (int rejections = 0; rejections < kMostRejections; ++rejections) {
            const bool solved = solveStep(problem, now, lambda * before + floor);
            if (solved) {
                tryStep(problem, now);
                accepted = candidate_.total() < before;
            }
            if (accepted) break;
            lambda *= kBad;
        }
        if (!accepted) return now.worst <= enough ? Outcome::Reached : Outcome::Stalled;
        lambda = std::max(lambda * kGood, kDampingFloor);
        std::swap(now, candidate_);
        if (record_history_) report.history.push_back(now.worst);
        const double progress = 1.0 - now.total() / before;
        slow = progress < kSlowProgress ? slow + 1 : 0;
        settled = settled || progress < 1e-9;
        if (slow >= kSlowSteps && now.worst > enough && !patient_) return Outcome::Stalled;
    }
}

}  // namespace ulna::ik::detail
