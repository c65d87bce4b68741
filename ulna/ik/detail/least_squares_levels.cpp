// SPDX-License-Identifier: Apache-2.0

// The second level of priority: goals met as far as the null space of the first level allows.
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

// J J^T over the coordinates that move, in dual_, each divided by its number in divide_; eigen_
// gets its part of level 1 decomposed.
void LeastSquares::assembleLevels(Problem& problem) {
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    for (std::size_t c = 0; c < state_.size(); ++c) {
        if (state_[c] != Free) divide_[c] = std::numeric_limits<double>::infinity();
    }
    problem.assembleDual(divide_, dual_);
    for (std::size_t i = 0; i < m1; ++i) {
        for (std::size_t j = 0; j <= i; ++j) level_one_[i * m1 + j] = dual_[i * m + j];
    }
    eigen_.compute(level_one_, m1);
}

// The gradient of level 2 within the null space of level 1 over the free coordinates, and what
// pushes the others, in `gradient`. first_solution_ gets the multipliers with which level 1 holds
// it.
void LeastSquares::projectGradient(Problem& problem, const Evaluation& e,
                                   std::span<double> gradient) {
    const std::size_t m1 = problem.levelOneRows();
    std::fill(divide_.begin(), divide_.end(), 1.0);
    assembleLevels(problem);
    problem.computeGradient(e, 2, gradient);
    for (std::size_t c = 0; c < state_.size(); ++c)
        moves_[c] = state_[c] == Free ? gradient[c] : 0.0;
    problem.apply(moves_, column_);
    std::copy_n(column_.begin(), m1, first_rhs_.begin());
    std::fill(first_solution_.begin(), first_solution_.end(), 0.0);
    eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {first_solution_.data(), m1});
    problem.applyTransposed(first_solution_, moves_);
    for (std::size_t c = 0; c < state_.size(); ++c) gradient[c] -= moves_[c];
}

// The same at `now`, in gradient_, with the coordinates blocked that bounds keep from moving: those
// at a bound, or about to pass one, that the projected gradient pushes on. Blocking one changes the
// null space and so what pushes the others, those already blocked among them.
void LeastSquares::projectSecond(Problem& problem, const Evaluation& now) {
    constexpr int kRounds = 40;
    problem.linearize(now);
    problem.mechanism().computeRoom(now.at, down_, up_);
    std::fill(state_.begin(), state_.end(), Free);
    std::fill(to_bound_.begin(), to_bound_.end(), 0.0);
    released_.assign(state_.size(), 0);
    const double stiffest = stiffestCurvature(problem, now);
    for (int round = 0; round < kRounds; ++round) {
        projectGradient(problem, now, gradient_);
        bool any = false;
        std::size_t leaving = state_.size();
        for (std::size_t c = 0; c < state_.size(); ++c) {
            const bool blocked = isBlocked(c);
            const bool held = blocked || isPushed(problem, c, stiffest);
            if (state_[c] == Free && held) {
                state_[c] = Blocked;
                to_bound_[c] = blocked ? 0.0 : roomAgainstGradient(c) / problem.columnScale()[c];
                any = true;
            } else if (state_[c] == Blocked && !held && released_[c] == 0 &&
                       (leaving == state_.size() ||
                        std::abs(gradient_[c]) > std::abs(gradient_[leaving]))) {
                leaving = c;
            }
        }
        if (any) continue;
        if (leaving == state_.size()) break;
        // One at a time and each once, so that this ends.
        state_[leaving] = Free;
        to_bound_[leaving] = 0.0;
        released_[leaving] = 1;
    }
    for (std::size_t c = 0; c < state_.size(); ++c) {
        if (state_[c] != Free) gradient_[c] = 0.0;
    }
    stationarity_ = problem.stationarity(now, gradient_, down_, up_);
}

// The step for level 2 that leaves level 1 as it is to first order. With K = J D^-1 Jt by levels,
// h = J f of the coordinates that move by given amounts f, and q = J D^-1 pull / damping - h (D and
// pull the posture's): (K22 - K21 pinv(K11) K12 + damping) y = r2 - q2 + K21 pinv(K11) q1,
// x = -pinv(K11) (K12 y + q1), step = -D^-1 (J2t y + J1t x + pull / damping). Coordinates that it
// carries past a bound are fixed there and the others solved again.
bool LeastSquares::solveSecond(Problem& problem, const Evaluation& now, double damping) {
    constexpr int kSolves = 6;
    const auto scale = problem.columnScale();
    problem.computePostureGradient(now, pull_);
    for (int solve = 0; solve < kSolves; ++solve) {
        if (!solveSecondOnce(problem, now, damping)) return false;
        bool any = false;
        for (std::size_t c = 0; c < step_.size(); ++c) {
            const double move = step_[c] * scale[c];
            if (state_[c] != Free || (move <= up_[c] && move >= down_[c])) continue;
            state_[c] = Fixed;
            to_bound_[c] = step_[c] = (move > up_[c] ? up_[c] : down_[c]) / scale[c];
            any = true;
        }
        if (!any) break;
    }
    return true;
}

bool LeastSquares::solveSecondOnce(Problem& problem, const Evaluation& now, double damping) {
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    const std::size_t m2 = m - m1;
    const std::size_t n = problem.columnCount();
    const auto curvature = problem.postureCurvature();
    for (std::size_t c = 0; c < n; ++c) {
        divide_[c] = 1.0 + curvature[c] / damping;
        moves_[c] = state_[c] == Free ? pull_[c] / (damping * divide_[c]) : -to_bound_[c];
    }
    assembleLevels(problem);
    problem.apply(moves_, column_);  // q
    second_.assign(m1 * m2, 0.0);    // pinv(K11) K12, column by column
    for (std::size_t j = 0; j < m2; ++j) {
        for (std::size_t i = 0; i < m1; ++i) first_rhs_[i] = dual_[(m1 + j) * m + i];
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {second_.data() + j * m1, m1});
    }
    level_two_.resize(m2 * m2);
    for (std::size_t i = 0; i < m2; ++i) {
        double right = now.residual[m1 + i] - column_[m1 + i];
        for (std::size_t k = 0; k < m1; ++k) right += second_[i * m1 + k] * column_[k];
        rhs_[i] = right;
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = dual_[(m1 + i) * m + m1 + j];
            for (std::size_t k = 0; k < m1; ++k)
                sum -= dual_[(m1 + i) * m + k] * second_[j * m1 + k];
            level_two_[i * m2 + j] = sum;
        }
    }
    if (!solveShifted(level_two_, m2, damping, rhs_)) return false;
    for (std::size_t i = 0; i < m1; ++i) {
        double right = column_[i];
        for (std::size_t j = 0; j < m2; ++j) right += dual_[(m1 + j) * m + i] * rhs_[j];
        first_rhs_[i] = right;
    }
    eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {first_solution_.data(), m1});
    for (std::size_t i = 0; i < m; ++i) column_[i] = i < m1 ? -first_solution_[i] : rhs_[i - m1];
    problem.applyTransposed(column_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        step_[c] =
            state_[c] == Free ? -(moves_[c] + pull_[c] / damping) / divide_[c] : to_bound_[c];
    }
    return true;
}

// Moves along step_ into trial_, then brings level 1 back to what it was. False when it cannot.
bool LeastSquares::trySecond(Problem& problem, const Evaluation& now, double kept) {
    constexpr int kRepairs = 8;
    const auto scale = problem.columnScale();
    // Steps far beyond where the null space is straight only make work for the repair.
    double longest = 0.0;
    for (const double s : step_) longest = std::max(longest, std::abs(s));
    const double factor = longest > 0.5 ? 0.5 / longest : 1.0;
    for (std::size_t c = 0; c < step_.size(); ++c) moves_[c] = step_[c] * scale[c] * factor;
    problem.mechanism().retract(now.at, moves_, trial_.at);
    problem.setLevels(1);
    problem.evaluate(trial_);
    for (int i = 0; i < kRepairs && trial_.cost[0] > kept; ++i) {
        const double was = trial_.cost[0];
        descend(problem, trial_, 1, repair_, 0.0);
        if (trial_.cost[0] > 0.9 * was) break;
    }
    repair_.history.clear();
    problem.setLevels(3);
    problem.evaluate(trial_);
    return trial_.cost[0] <= kept;
}

Outcome LeastSquares::descendSecond(Problem& problem, Evaluation& now, int max_iterations,
                                    IkReport& report) {
    const double floor = kDampingFloor * problem.reach() * problem.reach();
    // What level 1 may lose to rounding: far below what its errors are asked to keep.
    const double kept = now.cost[0] * (1.0 + 1e-10) + 1e-20 * problem.reach() * problem.reach();
    // A step must lower the cost by this part, or the pose is left alone. Every kind of step is
    // tried afresh before giving up, so that the same pose, given again as a start, stays where it
    // is.
    constexpr double kWorthwhile = 1e-6;
    constexpr double kNewtonWorthwhile = 1e-12;
    constexpr int kNewtonSteps = 60;
    double lambda = kStartDamping;
    double shift = 0.0;
    int slow = 0;
    int newton = 0;  // how many of Newton's steps so far; they follow where damped steps are slow
    bool afresh = true;
    second_steps_ = 0;
    const bool small = problem.columnCount() <= kNewtonColumns;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0 && !problem.hasPosture()) return Outcome::Reached;
        projectSecond(problem, now);
        const double stationarity = stationarity_;
        if (stationarity < kStationary)
            return now.worst <= 1.0 ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        const double before = now.cost[1] + now.posture_cost;
        const bool damped = slow < kSlowSteps;
        bool accepted = false;
        if (damped) {
            for (int tries = 0; tries < kMostRejections && !accepted; ++tries) {
                if (solveSecond(problem, now, lambda * before + floor))
                    accepted = trySecond(problem, now, kept) &&
                               trial_.cost[1] + trial_.posture_cost < (1.0 - kWorthwhile) * before;
                if (accepted) break;
                lambda *= kBad;
                projectSecond(problem, now);  // the repair has used the same memory
            }
            lambda = std::max(lambda * kGood, kDampingFloor);
            const double after = trial_.cost[1] + trial_.posture_cost;
            slow = accepted && after <= (1.0 - kSlowProgress) * before ? 0 : slow + 1;
            if (!accepted) slow = kSlowSteps;
            if (!accepted && small) continue;
        } else if (small && newton++ < kNewtonSteps) {
            computeSecondHessian(problem, now);
            for (int tries = 0; tries < 30 && !accepted; ++tries) {
                if (solveNewton(problem, shift))
                    accepted =
                        trySecond(problem, now, kept) &&
                        trial_.cost[1] + trial_.posture_cost < (1.0 - kNewtonWorthwhile) * before;
                if (accepted) break;
                shift = std::max(4.0 * shift, 1e-4);
                projectSecond(problem, now);
            }
            shift = shift < 1e-6 ? 0.0 : 0.1 * shift;
        }
        if (!accepted && !afresh) {
            afresh = true;
            lambda = kStartDamping;
            shift = 0.0;
            slow = 0;
            continue;
        }
        if (!accepted) {
            stationarity_ = stationarity;
            return now.worst <= 1.0                    ? Outcome::Reached
                   : stationarity_ < kNearlyStationary ? Outcome::Stationary
                                                       : Outcome::Stalled;
        }
        afresh = false;
        ++second_steps_;
        std::swap(now, trial_);
        if (record_history_) report.history.push_back(now.worst);
    }
    return now.worst <= 1.0 ? Outcome::Reached : Outcome::MaxIterations;
}

}  // namespace ulna::ik::detail
