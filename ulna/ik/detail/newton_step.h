// SPDX-License-Identifier: Apache-2.0

// Newton's step with limits inside it, and the way off a saddle.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/cost_hessian.h"
#include "ulna/math/dense.h"

namespace ulna::ik::detail {

// Shifts of the Hessian begin at this part of its largest entry: soft goals beside stiff ones need
// no more.
inline constexpr double kFirstShift = 1e-10;

class NewtonStep {
  public:
    void build(const Problem& problem);

    /// How far coordinates that are not in the Hessian go, per scaled coordinate; zero unless set.
    [[nodiscard]] std::vector<double>& toLimit() { return to_limit_; }
    [[nodiscard]] std::span<const double> toLimit() const { return to_limit_; }

    /// Newton's step of the Hessian's coordinates, with the Hessian shifted by a part of its
    /// largest entry, into step(); the others go as toLimit() says. Coordinates that it carries
    /// past a limit are fixed there and the others solved again, as in the damped step: clipped
    /// alone they would tear at stiff goals. Where the shifted Hessian is not definite and
    /// `indefinite` allows it, directions count by the size of their curvature (Dauphin et al.
    /// 2014); else, and for many coordinates, it returns false.
    [[nodiscard]] bool solve(const Problem& problem, const CostHessian& hessian,
                             const BoundedGradient& at, double shift, bool indefinite);
    [[nodiscard]] std::span<const double> step() const { return step_; }

    /// Whether no direction has a curvature below a negligible part of the largest.
    [[nodiscard]] bool isMinimum(const CostHessian& hessian);
    /// Finds the direction of most negative curvature, near enough.
    void findDescent(const CostHessian& hessian);
    /// A step along that direction, of this size, into step().
    void stepAlongDescent(const CostHessian& hessian, double size);

  private:
    // Curvature counts as negative below this part of the largest.
    static constexpr double kNegative = 1e-6;
    // Directions that change nothing, such as a straight arm's twist, must not be taken far by
    // rounding.
    static constexpr double kLeastShift = 1e-7;

    // Up to so many coordinates are decomposed into their curvatures.
    static constexpr std::size_t kMostDecomposed = 48;

    void gatherMoving(const CostHessian& hessian);
    void solveIndefinite(const CostHessian& hessian, double damping);

    std::vector<double> step_, to_limit_;  // per coordinate
    std::vector<double> factor_, solution_, right_;
    SymmetricEigen eigen_;
    std::vector<std::size_t> moving_;  // indices into the Hessian's coordinates
};

}  // namespace ulna::ik::detail
