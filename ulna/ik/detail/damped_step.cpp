// SPDX-License-Identifier: Apache-2.0

// Levenberg (1944), Marquardt (1963); the dual form after Wampler (1986) and Nakamura and Hanafusa
// (1986).
#include "ulna/ik/detail/damped_step.h"

#include <algorithm>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

void DampedStep::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    const std::size_t m = problem.rowCount();
    use_tree_ = m > kDualRows && !problem.joinsBodies();
    for (std::vector<double>* v : {&step_, &moves_, &pull_, &divide_}) v->assign(n, 0.0);
    if (!use_tree_) {
        dual_.assign(m * m, 0.0);
        factor_.assign(m * m, 0.0);
    }
    rhs_.assign(m, 0.0);
    row_solution_.assign(m, 0.0);
    tree_.build(problem);
}

void DampedStep::linearize(Problem& problem, const Evaluation& now, BoundedGradient& at) {
    if (use_tree_) {
        problem.computeTwists(now);
        tree_.linearize(problem, now, at.value);
    } else {
        problem.linearize(now);
        problem.computePostureGradient(now, pull_);
        at.value = pull_;
        problem.addGoalGradient(now, 3, at.value);
    }
    at.bound(problem, now, !use_tree_);
    if (!use_tree_ && !problem.hasPosture()) problem.assembleDual({}, dual_);
    fixed_any_ = false;
}

// Moves of the free coordinates from the dual system: with D = 1 + posture / damping,
// (J D^-1 Jt + damping) z = r - J D^-1 pull / damping,  step = -D^-1 (Jt z + pull / damping).
bool DampedStep::solveDual(Problem& problem, double damping, const BoundedGradient& at) {
    const std::size_t m = problem.rowCount();
    const std::size_t n = step_.size();
    const bool posture = problem.hasPosture();
    if (posture) {
        const auto curvature = problem.postureCurvature();
        for (std::size_t c = 0; c < n; ++c) {
            divide_[c] = 1.0 + curvature[c] / damping;
            moves_[c] = at.isFree(c) ? pull_[c] / (damping * divide_[c]) : 0.0;
        }
        problem.assembleDual(divide_, dual_);
        problem.apply(moves_, row_solution_);
        for (std::size_t i = 0; i < m; ++i) row_solution_[i] = rhs_[i] - row_solution_[i];
    } else {
        row_solution_ = rhs_;
    }
    factor_ = dual_;
    if (!solveShifted(factor_, m, damping, row_solution_)) return false;
    problem.applyTransposed(row_solution_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        if (!at.isFree(c)) continue;
        step_[c] = posture ? -(moves_[c] + pull_[c] / damping) / divide_[c] : -moves_[c];
    }
    return true;
}

// Fixes free coordinates that the step carries past a limit at that limit, for good within this
// step. True when there were any.
bool DampedStep::fixAtLimits(Problem& problem, BoundedGradient& at) {
    const auto scale = problem.columnScale();
    const std::size_t m = problem.rowCount();
    const bool posture = problem.hasPosture();
    std::vector<double>& column = row_solution_;
    bool any = false;
    for (std::size_t c = 0; c < step_.size(); ++c) {
        if (!at.isFree(c)) continue;
        const double move = step_[c] * scale[c];
        if (move <= at.up[c] && move >= at.down[c]) continue;
        any = true;
        at.state[c] = BoundedGradient::Fixed;
        step_[c] = at.toLimit(c, move, scale[c]);
        if (use_tree_) continue;
        problem.computeColumn(c, column);
        for (std::size_t i = 0; i < m; ++i) {
            if (column[i] == 0.0) continue;
            rhs_[i] += column[i] * step_[c];
            if (posture) continue;  // the dual system is assembled anew
            for (std::size_t j = 0; j <= i; ++j) dual_[i * m + j] -= column[i] * column[j];
        }
        problem.freeze(c);
    }
    fixed_any_ = fixed_any_ || any;
    return any;
}

// Takes back what a step that was rejected has fixed.
void DampedStep::releaseFixed(Problem& problem, const Evaluation& now, BoundedGradient& at) {
    if (!use_tree_) problem.linearize(now);
    for (std::size_t c = 0; c < at.state.size(); ++c) {
        if (at.state[c] == BoundedGradient::Fixed) at.state[c] = BoundedGradient::Free;
        if (at.state[c] == BoundedGradient::Blocked && !use_tree_) problem.freeze(c);
    }
    if (!use_tree_ && !problem.hasPosture()) problem.assembleDual({}, dual_);
    fixed_any_ = false;
}

bool DampedStep::solve(Problem& problem, const Evaluation& now, double damping,
                       BoundedGradient& at) {
    constexpr int kSolves = 3;  // one, and two more with newly fixed coordinates
    if (fixed_any_) releaseFixed(problem, now, at);
    std::fill(step_.begin(), step_.end(), 0.0);
    rhs_ = now.residual;
    for (int i = 0; i < kSolves; ++i) {
        if (use_tree_)
            tree_.solve(problem, damping, at.state, step_);
        else if (!solveDual(problem, damping, at))
            return false;
        if (!problem.mechanism().bounded() || !fixAtLimits(problem, at)) break;
    }
    return true;
}

}  // namespace ulna::ik::detail
