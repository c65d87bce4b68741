// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/detail/bounded_step.h"

#include <algorithm>
#include <cmath>

namespace ulna::fit::detail {
namespace {

constexpr double kNoRoom = 1e-9;  // at a bound: rounding of what was clamped
constexpr int kPasses = 4;        // solves with coordinates stopped at their bounds

}  // namespace

BoundedStep::BoundedStep(std::size_t coordinates)
    : damped_(coordinates * coordinates), held_(coordinates) {
    for (std::vector<double>* v : {&step_, &way_, &down_, &up_, &bends_}) v->resize(coordinates);
}

bool BoundedStep::isPushed(std::size_t i, double descent) const {
    return (descent > 0.0 && up_[i] <= kNoRoom) || (descent < 0.0 && down_[i] >= -kNoRoom);
}

double BoundedStep::gradientInside(const SkeletonMoves& moves, const MoveState& state,
                                   std::span<const double> descent) {
    moves.computeRoom(state, down_, up_);
    double sum = 0.0;
    for (std::size_t i = 0; i < descent.size(); ++i)
        sum += isPushed(i, descent[i]) ? 0.0 : descent[i] * descent[i];
    return std::sqrt(sum);
}

bool BoundedStep::compute(const SkeletonMoves& moves, const MoveState& state,
                          std::span<const double> matrix, std::span<const double> descent,
                          double damping) {
    const std::size_t n = descent.size();
    moves.computeRoom(state, down_, up_);
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix[i * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
        step_[i] = 0.0;
        held_[i] = isPushed(i, descent[i]);
    }
    moves.computeConeBends(state, held_, descent, bends_);
    for (int pass = 0; pass < kPasses; ++pass) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                damped_[i * n + k] = held_[i] || held_[k] ? 0.0 : matrix[i * n + k];
            const double own = matrix[i * n + i] + bends_[i];
            damped_[i * n + i] =
                held_[i] ? 1.0 : own + damping * std::max(own, 1e-12 * largest) + 1e-300;
        }
        if (!cholesky_.factor(damped_, n)) return false;
        for (std::size_t i = 0; i < n; ++i) {
            way_[i] = held_[i] ? step_[i] : descent[i];
            for (std::size_t k = 0; k < n && !held_[i]; ++k) {
                if (held_[k] && step_[k] != 0.0)
                    way_[i] -= matrix[std::max(i, k) * n + std::min(i, k)] * step_[k];
            }
        }
        cholesky_.solve(way_);
        bool stopped = false;
        for (std::size_t i = 0; i < n; ++i) {
            const double inside = std::clamp(way_[i], down_[i], up_[i]);
            if (!held_[i] && inside != way_[i]) {
                held_[i] = 1;
                stopped = true;
            }
            step_[i] = inside;
        }
        if (!stopped) break;
        for (std::size_t i = 0; i < n && pass + 1 < kPasses; ++i)
            if (!held_[i]) step_[i] = 0.0;
    }
    return true;
}

}  // namespace ulna::fit::detail
