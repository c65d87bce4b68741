// SPDX-License-Identifier: Apache-2.0

// A damped Newton step of coordinates with limits (an active-set method in the manner of Bertsekas
// 1982).
//
// Coordinates at a limit that the gradient pushes against are held. Those that the step takes past
// their limit stop there, and the others are solved for again. For the iteration around it see
// solve/damped_newton.h; for the limits of a skeleton Mechanism::computeRoom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/math/sparse_cholesky.h"

namespace ulna {

/// Keeps its memory between steps: for one thread at a time.
class BoundedStep {
  public:
    explicit BoundedStep(std::size_t coordinates = 0);

    /// How far each coordinate may move down (0 or less) and up (0 or more) from where it is. To be
    /// filled in before the functions below; without limits, which is what they start as, infinite.
    [[nodiscard]] std::span<double> down() { return down_; }
    [[nodiscard]] std::span<double> up() { return up_; }

    /// Whether a coordinate stands at a limit that its descent, minus its gradient, pushes against.
    [[nodiscard]] bool isPushed(std::size_t i, double descent) const;
    /// The length of the gradient without what is pushed against limits.
    [[nodiscard]] double gradientInside(std::span<const double> descent) const;

    /// Computes the step for a matrix, by rows, of which the lower triangle is read; `damping`
    /// times its diagonal is added. False where the matrix is not positive definite.
    [[nodiscard]] bool compute(std::span<const double> matrix, std::span<const double> descent,
                               double damping);
    [[nodiscard]] std::span<const double> step() const { return step_; }
    /// Whether the step held a coordinate at its limit, or stopped it there; whether it stopped
    /// any.
    [[nodiscard]] bool isHeld(std::size_t i) const { return held_[i] != 0; }
    [[nodiscard]] bool isStopped() const { return stopped_; }

  private:
    void damp(std::span<const double> matrix, double damping);
    void fillRightSide(std::span<const double> matrix, std::span<const double> descent);
    bool stopAtLimits();

    SparseCholesky cholesky_;
    std::vector<double> down_, up_, step_, solution_, damped_;
    std::vector<std::uint8_t> held_;
    bool stopped_ = false;
};

}  // namespace ulna
