// SPDX-License-Identifier: Apache-2.0

// One damped least-squares step as a recursion over the tree: exact, linear in the number of joints
// for any number of goals.
//
// The articulated-body form (Featherstone 1983, for another matrix): each goal adds its wrenches to
// the 6x6 matrix A and the 6-vector b of its body; leaf to root every coordinate is eliminated from
// what is below it, root to leaf the moves are found.
#pragma once

#include <array>
#include <vector>

#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

class TreeStep {
  public:
    void build(const Problem& problem);

    /// The gradient of the cost per scaled coordinate, and the wrenches, at an evaluated pose.
    /// Needs the problem's twists, not its Jacobian.
    void linearize(const Problem& problem, const Evaluation& now, std::span<double> gradient);

    /// Solves (JtJ + posture + damping) step = -gradient over coordinates that are not frozen,
    /// those that are moving by step's present value.
    void solve(const Problem& problem, double damping, std::span<const std::uint8_t> frozen,
               std::span<double> step);

  private:
    using Vec6 = std::array<double, 6>;
    using Sym6 = std::array<double, 21>;  // lower triangle by rows

    std::vector<Sym6> goals_;     // per link: the goals' part of A, constant during a step
    std::vector<Sym6> matrices_;  // per link
    std::vector<Vec6> forces_;    // per link: b
    std::vector<Vec6> wrenches_;  // per coordinate: U
    std::vector<double> pivots_;  // per coordinate: 1 / D
    std::vector<double> pulls_;   // per coordinate: s . b with the posture's gradient
    std::vector<Vec6> velocities_;
    std::vector<double> posture_gradient_;
};

}  // namespace ulna::ik::detail
