// SPDX-License-Identifier: Apache-2.0

// Projected Newton steps after Bertsekas, "Projected Newton methods for optimization problems with
// simple constraints" (1982).
#include "ulna/ik/detail/newton_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

void NewtonStep::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    step_.assign(n, 0.0);
    to_limit_.assign(n, 0.0);
    moving_.reserve(n);
    solution_.reserve(n);
    right_.reserve(n);
    if (n <= kNewtonColumns) factor_.reserve(n * n);
    eigen_.reserve(std::min(n, kMostDecomposed));
}

bool NewtonStep::isMinimum(const CostHessian& hessian) {
    factor_ = hessian.matrix();
    return factorCholesky(factor_, hessian.free().size(), kNegative * hessian.largestCurvature());
}

// Inverse iteration with the Hessian shifted until it is definite, from a start that favours no
// coordinate.
void NewtonStep::findDescent(const CostHessian& hessian) {
    constexpr int kSolves = 8;
    constexpr int kShifts = 40;
    const std::size_t count = hessian.free().size();
    double shift = kLeastShift * hessian.largestCurvature();
    for (int i = 0; i < kShifts; ++i, shift *= 4.0) {
        factor_ = hessian.matrix();
        if (factorCholesky(factor_, count, shift)) break;
    }
    solution_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        solution_[i] = std::cos(1.0 + 0.7 * static_cast<double>(i));
    for (int solve = 0; solve < kSolves; ++solve) {
        solveCholesky(factor_, count, solution_);
        double length2 = 0.0;
        for (const double x : solution_) length2 += x * x;
        for (double& x : solution_) x /= std::sqrt(length2);
    }
}

void NewtonStep::stepAlongDescent(const CostHessian& hessian, double size) {
    const std::vector<std::size_t>& free = hessian.free();
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t i = 0; i < free.size(); ++i) step_[free[i]] = size * solution_[i];
}

// The lower triangle of the coordinates that move, in factor_.
void NewtonStep::gatherMoving(const CostHessian& hessian) {
    const std::size_t count = hessian.free().size();
    const std::size_t m = moving_.size();
    factor_.resize(m * m);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            factor_[i * m + j] = hessian.matrix()[moving_[i] * count + moving_[j]];
    }
}

// With the absolute values of the curvatures, so that a direction along which the cost falls off
// does not hold up all others, as a shift that outweighs it would.
void NewtonStep::solveIndefinite(const CostHessian& hessian, double damping) {
    const std::size_t m = moving_.size();
    gatherMoving(hessian);
    eigen_.compute(factor_, m);
    right_.assign(solution_.begin(), solution_.begin() + static_cast<std::ptrdiff_t>(m));
    std::fill_n(solution_.begin(), m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
        double along = 0.0;
        for (std::size_t k = 0; k < m; ++k) along += eigen_.vector(i, k) * right_[k];
        along /= std::abs(eigen_.value(i)) + damping;
        for (std::size_t k = 0; k < m; ++k) solution_[k] += eigen_.vector(i, k) * along;
    }
}

bool NewtonStep::solve(const Problem& problem, const CostHessian& hessian,
                       const BoundedGradient& at, double shift, bool indefinite) {
    constexpr int kRounds = 8;
    const std::vector<std::size_t>& free = hessian.free();
    const std::vector<double>& matrix = hessian.matrix();
    const std::size_t count = free.size();
    const auto scale = problem.columnScale();
    const double largest = hessian.largestCurvature();
    // Without any curvature there is nothing to go by, and others may still go to their limits.
    const double damping = largest > 0.0 ? std::max(shift, kLeastShift) * largest : 1.0;
    step_ = to_limit_;
    moving_.resize(count);
    std::iota(moving_.begin(), moving_.end(), std::size_t{0});
    solution_.resize(count);
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t m = moving_.size();
        gatherMoving(hessian);
        const bool definite = factorCholesky(factor_, m, damping);
        if (!definite && (!indefinite || m > kMostDecomposed)) return false;
        for (std::size_t i = 0; i < m; ++i) {
            double right = -at.value[free[moving_[i]]];
            for (std::size_t k = 0; k < count; ++k) {
                const double fixed = step_[free[k]];
                if (fixed != 0.0)
                    right -=
                        matrix[std::max(moving_[i], k) * count + std::min(moving_[i], k)] * fixed;
            }
            solution_[i] = right;
        }
        if (definite)
            solveCholesky(factor_, m, solution_);
        else
            solveIndefinite(hessian, damping);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m; ++i) {
            const std::size_t c = free[moving_[i]];
            const double move = solution_[i] * scale[c];
            if (move > at.up[c] || move < at.down[c])
                step_[c] = at.toLimit(c, move, scale[c]);
            else
                moving_[kept++] = moving_[i], solution_[kept - 1] = solution_[i];
        }
        moving_.resize(kept);
        if (kept == m || round == kRounds - 1) break;
    }
    for (std::size_t i = 0; i < moving_.size(); ++i) step_[free[moving_[i]]] = solution_[i];
    return true;
}

}  // namespace ulna::ik::detail
