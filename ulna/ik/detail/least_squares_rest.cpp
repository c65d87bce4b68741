// SPDX-License-Identifier: Apache-2.0

// Coming to rest: Newton's method with exact second derivatives, for answers that miss their goals.
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

// The direction of most negative curvature, near enough, in newton_rhs_: inverse iteration with the
// Hessian shifted until it is definite, from a start that favours no coordinate.
void LeastSquares::mostNegative() {
    constexpr int kSolves = 8;
    constexpr int kShifts = 40;
    const std::size_t count = free_.size();
    double shift = kLeastShift * largestCurvature();
    for (int i = 0; i < kShifts; ++i, shift *= 4.0) {
        newton_ = hessian_;
        if (factorCholesky(newton_, count, shift)) break;
    }
    newton_rhs_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        newton_rhs_[i] = std::cos(1.0 + 0.7 * static_cast<double>(i));
    for (int solve = 0; solve < kSolves; ++solve) {
        solveCholesky(newton_, count, newton_rhs_);
        double length2 = 0.0;
        for (const double x : newton_rhs_) length2 += x * x;
        for (double& x : newton_rhs_) x /= std::sqrt(length2);
    }
}

Outcome LeastSquares::polish(Problem& problem, Evaluation& now, int max_iterations,
                             IkReport& report) {
    newton_steps_ = true;
    const Outcome outcome = comeToRest(problem, now, max_iterations, report);
    newton_steps_ = false;
    return outcome;
}

double LeastSquares::stiffestCurvature(const Problem& problem, const Evaluation& now) {
    double out = problem.reach() * std::sqrt(2.0 * now.total());
    for (const Problem::Row& row : problem.goalRows())
        out += row.factor * row.factor * problem.reach() * problem.reach();
    return out;
}

// How far a coordinate may go the way the gradient pushes it: positive up, negative down.
double LeastSquares::roomAgainstGradient(std::size_t c) const {
    return gradient_[c] < 0.0 ? up_[c] : down_[c];
}

// Whether a coordinate is so close to a bound that even the shortest sensible step goes past it. It
// then goes there, and is left out of the system: projected Newton (Bertsekas 1982).
bool LeastSquares::isPushed(const Problem& problem, std::size_t c, double stiffest) const {
    return gradient_[c] != 0.0 && std::abs(gradient_[c] * problem.columnScale()[c]) >=
                                      stiffest * std::abs(roomAgainstGradient(c));
}

double LeastSquares::largestCurvature() const {
    const std::size_t count = free_.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(hessian_[i * count + i]));
    return largest;
}

// Newton's step of the free coordinates, with the Hessian shifted by a part of its largest entry;
// the others go to their bounds. Coordinates that it carries past a bound are fixed there and the
// others solved again, as in the damped step: clipped alone they would tear at stiff goals. False
// when the shifted Hessian is not definite.
bool LeastSquares::solveNewton(const Problem& problem, double shift) {
    constexpr int kRounds = 8;
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const double largest = largestCurvature();
    // Where nothing bends there is nothing to go by, and others may still go to their bounds.
    const double damping = largest > 0.0 ? std::max(shift, kLeastShift) * largest : 1.0;
    step_ = to_bound_;
    above_.resize(count);  // those still moving
    std::iota(above_.begin(), above_.end(), std::size_t{0});
    newton_rhs_.resize(count);
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t m = above_.size();
        newton_.resize(m * m);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                newton_[i * m + j] = hessian_[above_[i] * count + above_[j]];
        }
        if (!factorCholesky(newton_, m, damping)) return false;
        for (std::size_t i = 0; i < m; ++i) {
            double right = -gradient_[free_[above_[i]]];
            for (std::size_t k = 0; k < count; ++k) {
                const double fixed = step_[free_[k]];
                if (fixed != 0.0)
                    right -=
                        hessian_[std::max(above_[i], k) * count + std::min(above_[i], k)] * fixed;
            }
            newton_rhs_[i] = right;
        }
        solveCholesky(newton_, m, newton_rhs_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m; ++i) {
            const std::size_t c = free_[above_[i]];
            const double move = newton_rhs_[i] * scale[c];
            if (move > up_[c] || move < down_[c])
                step_[c] = (move > up_[c] ? up_[c] : down_[c]) / scale[c];
            else
                above_[kept++] = above_[i], newton_rhs_[kept - 1] = newton_rhs_[i];
        }
        above_.resize(kept);
        if (kept == m || round == kRounds - 1) break;
    }
    for (std::size_t i = 0; i < above_.size(); ++i) step_[free_[above_[i]]] = newton_rhs_[i];
    return true;
}

// The coordinates of Newton's system, in free_, and how far the others go, in to_bound_.
void LeastSquares::chooseFree(Problem& problem, const Evaluation& now, bool flat) {
    if (flat) {
        // A coordinate that stands at a bound without being pushed may still fall off it: a
        // straight elbow, when the target comes nearer.
        const double weak = kStationary * problem.reach() * std::sqrt(2.0 * now.total());
        problem.linearize(now);
        for (std::size_t c = 0; c < state_.size(); ++c) {
            if (state_[c] == Free) continue;
            if (std::abs(gradient_[c]) < weak && up_[c] > down_[c])
                state_[c] = Free;
            else
                problem.freeze(c);
        }
    }
    const double stiffest = stiffestCurvature(problem, now);
    free_.clear();
    std::fill(to_bound_.begin(), to_bound_.end(), 0.0);
    for (std::size_t c = 0; c < state_.size(); ++c) {
        if (state_[c] != Free) continue;
        if (!flat && isPushed(problem, c, stiffest))
            to_bound_[c] = roomAgainstGradient(c) / problem.columnScale()[c];
        else
            free_.push_back(c);
    }
}

Outcome LeastSquares::comeToRest(Problem& problem, Evaluation& now, int max_iterations,
                                 IkReport& report) {
    const std::size_t n = problem.columnCount();
    if (n == 0) return Outcome::Stationary;
    if (n > kNewtonColumns) {
        // Too many coordinates for a dense system: damped steps for as long as they help.
        newton_steps_ = false;
        patient_ = true;
        const Outcome outcome = descend(problem, now, max_iterations, report);
        patient_ = false;
        return outcome;
    }
    const bool analytic = isAnalytic(problem);
    double shift = 0.0;  // of the Hessian, relative to its largest entry
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        prepare(problem, now);
        const bool flat = stationarity_ < kStationary;
        chooseFree(problem, now, flat);
        if (free_.empty() && flat) return Outcome::Stationary;
        if (analytic && iteration < kAnalyticSteps)
            computeHessian(problem, now);
        else
            estimateHessian(problem, now);
        const std::size_t count = free_.size();
        const double largest = largestCurvature();
        if (!(largest > 0.0) && flat) return Outcome::Stationary;
        if (flat) {
            newton_ = hessian_;
            if (factorCholesky(newton_, count, kNegative * largest)) return Outcome::Stationary;
        }

        ++report.iterations;
        const double before = now.total();
        bool accepted = false;
        for (int tries = 0; tries < 40 && !accepted; ++tries) {
            if (flat) {
                std::fill(step_.begin(), step_.end(), 0.0);
                // A saddle: a straight limb, say. Leave it the way it falls off.
                if (tries == 0) mostNegative();
                // Either way along the direction; bounds may close one.
                const double size = (tries % 2 == 0 ? 0.1 : -0.1) * std::pow(0.5, tries / 2);
                for (std::size_t i = 0; i < count; ++i) step_[free_[i]] = size * newton_rhs_[i];
            } else if (!solveNewton(problem, shift)) {
                shift = std::max(4.0 * shift, kFirstShift);
                continue;
            }
            tryStep(problem, now);
            // Close to the minimum the cost no longer resolves a step.
            accepted = candidate_.total() <= before * (1.0 + (flat ? 0.0 : 4e-16));
            if (!accepted) shift = std::max(4.0 * shift, kFirstShift);
        }
        if (!accepted)
            return stationarity_ < kNearlyStationary ? Outcome::Stationary : Outcome::Stalled;
        shift = shift < 1e-6 ? 0.0 : 0.1 * shift;
        std::swap(now, candidate_);
        if (record_history_) report.history.push_back(now.worst);
        // Off the saddle the ordinary descent knows the way.
        if (flat) {
            newton_steps_ = false;
            const Outcome outcome = descend(problem, now, kStepsOffSaddle, report);
            newton_steps_ = true;
            if (outcome == Outcome::Reached) return outcome;
        }
    }
    return Outcome::MaxIterations;
}

}  // namespace ulna::ik::detail
