// SPDX-License-Identifier: Apache-2.0

// A damped Newton step of coordinates with bounds, as in inverse kinematics: coordinates at a bound
// that the gradient pushes against are held, those that a step takes past theirs stop there and the
// rest is solved again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/skeleton_moves.h"
#include "ulna/fit/detail/sparse_cholesky.h"

namespace ulna::fit::detail {

class BoundedStep {
  public:
    explicit BoundedStep(std::size_t coordinates = 0);

    /// The step from a state, into step(). `matrix` is by rows, its lower triangle is looked at.
    /// False where it is not positive definite enough.
    [[nodiscard]] bool compute(const SkeletonMoves& moves, const MoveState& state,
                               std::span<const double> matrix, std::span<const double> descent,
                               double damping);
    [[nodiscard]] std::span<const double> step() const { return step_; }

    /// The length of the gradient without what is pushed against bounds.
    [[nodiscard]] double gradientInside(const SkeletonMoves& moves, const MoveState& state,
                                        std::span<const double> descent);

  private:
    [[nodiscard]] bool isPushed(std::size_t i, double descent) const;

    SparseCholesky cholesky_;
    std::vector<double> step_, way_, down_, up_, bends_, damped_;
    std::vector<std::uint8_t> held_;
};

}  // namespace ulna::fit::detail
