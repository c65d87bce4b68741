// SPDX-License-Identifier: Apache-2.0

// The damped least-squares step of all goals together, with limits inside the step.
//
// A coordinate at a limit that the gradient pushes outwards is blocked; one that a step would carry
// past its limit is fixed there and the others are solved again. The step comes from the small dual
// system (rows x rows), or from a recursion over the tree when there are many rows.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/bounded_gradient.h"
#include "ulna/ik/detail/tree_step.h"

namespace ulna::ik::detail {

class DampedStep {
  public:
    void build(const Problem& problem);

    /// Derivatives, room, and blocked coordinates at `now`.
    void linearize(Problem& problem, const Evaluation& now, BoundedGradient& at);

    /// The step from `now`, where linearize() was called last, into step(). Coordinates that it
    /// carries to a limit are marked in `at`. False when the damped system is not definite.
    [[nodiscard]] bool solve(Problem& problem, const Evaluation& now, double damping,
                             BoundedGradient& at);
    /// Per scaled coordinate.
    [[nodiscard]] std::span<const double> step() const { return step_; }

  private:
    // Above this many rows the recursion over the tree is cheaper than the dual system.
    static constexpr std::size_t kDualRows = 36;

    void releaseFixed(Problem& problem, const Evaluation& now, BoundedGradient& at);
    bool solveDual(Problem& problem, double damping, const BoundedGradient& at);
    bool fixAtLimits(Problem& problem, BoundedGradient& at);

    TreeStep tree_;
    bool use_tree_ = false;
    bool fixed_any_ = false;                  // by the last solve
    std::vector<double> step_, moves_;        // per coordinate
    std::vector<double> pull_, divide_;       // per coordinate: the posture's
    std::vector<double> dual_, factor_;       // rows x rows
    std::vector<double> rhs_, row_solution_;  // per row
};

}  // namespace ulna::ik::detail
