// SPDX-License-Identifier: Apache-2.0

// Second derivatives of the cost over chosen coordinates: exact for the most common goals, by
// differences for the others.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/body_curvature.h"
#include "ulna/ik/detail/bounded_gradient.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/whole_curvature.h"

namespace ulna::ik::detail {

// Newton's steps near a minimum: dense up to this many coordinates.
inline constexpr std::size_t kNewtonColumns = 300;

class CostHessian {
  public:
    void build(const Problem& problem);

    /// The coordinates that it is over, ascending.
    [[nodiscard]] std::vector<std::size_t>& free() { return free_; }
    [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
    /// The lower triangle, by rows, free().size() squared.
    [[nodiscard]] std::vector<double>& matrix() { return matrix_; }
    [[nodiscard]] const std::vector<double>& matrix() const { return matrix_; }
    /// The largest entry of the diagonal, or what rounding may leave of a diagonal of zeros.
    [[nodiscard]] double largestCurvature() const;
    /// Sets what the curvature is judged by: how fast the gradient may change along a coordinate.
    void setStiffest(double stiffest) { rounding_ = kRounding * stiffest; }

    /// From the second derivatives of goals by their bodies, which are exact for positions and
    /// orientations and differences of wrenches for others, and those of the bodies by the
    /// coordinates, which are exact. Of postures by differences, one joint at a time.
    /// @param straight per goal row: whether its rows are taken as straight, so that only their
    /// first derivatives count; none where it is empty.
    /// @pre the mechanism has no rotation vectors; `gradient` is the cost's at `now`; the problem
    /// is linearized there.
    void compute(const Problem& problem, const Evaluation& now, std::span<const double> gradient,
                 std::span<const std::uint8_t> straight = {});
    /// By central differences of the gradient along the coordinates' own paths: for any goal and
    /// any limit. Changes the problem's Jacobian.
    void estimate(Problem& problem, const Evaluation& now, const BoundedGradient& at);

  private:
    // Differences of the gradient are exact to about this part of the stiffest curvature.
    static constexpr double kRounding = 1e-8;

    void addFollowers(const Problem& problem);
    void foldFollowers(const Problem& problem);
    void addPostures(const Problem& problem, const Evaluation& now);
    void addStraight(const Problem& problem, const Problem::Row& row);
    void addGoal(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void findAbove(const Problem& problem, const Problem::Part& part,
                   std::vector<std::size_t>& out) const;
    void takeTwists(const Problem& problem);
    void addPoint(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addOrientation(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addBodies(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addWhole(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addCones(const Problem& problem, const Evaluation& now, std::span<const double> gradient);

    // The coordinate that moves another: itself, or what it follows.
    struct Mover {
        std::size_t place = 0;  // in leading_
        double by = 1.0;
    };
    [[nodiscard]] Mover moverOf(const Problem& problem, std::size_t column) const;

    std::vector<std::size_t> free_, leading_;  // leading_: while free_ has followers too
    std::vector<Mover> movers_;
    std::vector<double> folded_;
    std::vector<double> matrix_;
    double rounding_ = 0.0;
    std::vector<std::size_t> above_, above_other_;  // those of a body, as indices into free_
    std::vector<Wrench> twists_;                    // per free coordinate, scaled
    BodyCurvature bodies_;
    WholeCurvature whole_;
    Evaluation trial_;  // of differences
    std::vector<double> moves_, gradient_, ahead_;
};

}  // namespace ulna::ik::detail
