// SPDX-License-Identifier: Apache-2.0

#include "ulna/solve/bounded_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna {
namespace {

// A coordinate this near to its limit stands at it: rounding of what was clamped, in radians or
// lengths.
constexpr double kNoRoom = 1e-9;

// Solves with coordinates stopped at their limits; in the last, what passes a limit is clamped.
constexpr int kPasses = 4;

// A diagonal entry counts as no less than this part of the largest: what nothing moves must be
// damped too.
constexpr double kLeastDiagonal = 1e-12;

}  // namespace

BoundedStep::BoundedStep(std::size_t coordinates)
    : down_(coordinates, -std::numeric_limits<double>::infinity()),
      up_(coordinates, std::numeric_limits<double>::infinity()),
      step_(coordinates),
      solution_(coordinates),
      damped_(coordinates * coordinates),
      held_(coordinates) {}

bool BoundedStep::isPushed(std::size_t i, double descent) const {
    return (descent > 0.0 && up_[i] <= kNoRoom) || (descent < 0.0 && down_[i] >= -kNoRoom);
}

double BoundedStep::gradientInside(std::span<const double> descent) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < descent.size(); ++i)
        sum += isPushed(i, descent[i]) ? 0.0 : descent[i] * descent[i];
    return std::sqrt(sum);
}

// The matrix of the coordinates that are not held, damped; the identity for the others.
void BoundedStep::damp(std::span<const double> matrix, double damping) {
    const std::size_t n = held_.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix[i * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            damped_[i * n + k] = held_[i] || held_[k] ? 0.0 : matrix[i * n + k];
        const double own = matrix[i * n + i];
        damped_[i * n + i] =
            held_[i] ? 1.0 : own + damping * std::max(own, kLeastDiagonal * largest) + 1e-300;
    }
}

// The descent, less what the held coordinates' own steps use up of it.
void BoundedStep::fillRightSide(std::span<const double> matrix, std::span<const double> descent) {
    const std::size_t n = held_.size();
    for (std::size_t i = 0; i < n; ++i) {
        solution_[i] = held_[i] ? step_[i] : descent[i];
        for (std::size_t k = 0; k < n && !held_[i]; ++k) {
            if (held_[k] && step_[k] != 0.0)
                solution_[i] -= matrix[std::max(i, k) * n + std::min(i, k)] * step_[k];
        }
    }
}

// Takes the solution as the step, clamped to the limits; true where that holds a coordinate that
// was not held before.
bool BoundedStep::stopAtLimits() {
    bool stopped = false;
    for (std::size_t i = 0; i < held_.size(); ++i) {
        const double inside = std::clamp(solution_[i], down_[i], up_[i]);
        if (!held_[i] && inside != solution_[i]) {
            held_[i] = 1;
            stopped = true;
        }
        step_[i] = inside;
    }
    return stopped;
}

bool BoundedStep::compute(std::span<const double> matrix, std::span<const double> descent,
                          double damping) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
        step_[i] = 0.0;
        held_[i] = isPushed(i, descent[i]);
    }
    stopped_ = false;
    for (int pass = 0; pass < kPasses; ++pass) {
        damp(matrix, damping);
        if (!cholesky_.factor(damped_, held_.size())) return false;
        fillRightSide(matrix, descent);
        cholesky_.solve(solution_);
        if (!stopAtLimits()) break;
        stopped_ = true;
    }
    return true;
}

}  // namespace ulna
