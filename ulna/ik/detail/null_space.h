// SPDX-License-Identifier: Apache-2.0

// Where the coordinates may go without costing level 1, and steps for level 2 there.
//
// Level 1 is at a minimum: moves p that its second derivatives H do not see, H p = 0, keep it there
// to first order, whether its goals are met (then H p = 0 says that its rows do not change) or out
// of reach. A Cholesky factorisation of H with pivots tells the basic coordinates, which level 1
// decides, from the others, which level 2 may choose.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/bounded_gradient.h"
#include "ulna/ik/detail/cost_hessian.h"

namespace ulna::ik::detail {

/// The null space of a positive semi-definite matrix, from its Cholesky factorisation with pivots:
/// the coordinates of the pivots are basic and follow the others.
class NullSpaceBasis {
  public:
    void reserve(std::size_t n);

    /// Of the rows and columns `chosen` of a symmetric matrix of `count` rows, stored whole. A
    /// pivot below `cutoff` times the largest entry is none.
    void compute(std::span<const double> matrix, std::size_t count,
                 std::span<const std::size_t> chosen, double cutoff);

    /// The basic coordinates, as indices into the matrix.
    [[nodiscard]] std::span<const std::size_t> basic() const { return basic_; }
    /// Of the null space: how many coordinates are not basic.
    [[nodiscard]] std::size_t dimension() const { return others_.size(); }

    /// Solves the basic part of the matrix in place; one value per basic().
    void solveBasic(std::span<double> x) const;
    /// out = Zt v for `v` per row of the matrix: what the null space feels; one per dimension.
    void restrict(std::span<const double> v, std::span<double> out) const;
    /// v += Z z, per row of the matrix.
    void extend(std::span<const double> z, std::span<double> v) const;
    /// Zt M Z of a symmetric matrix stored whole, and Zt Z; dimension() squared.
    void restrictMatrix(std::span<const double> matrix, std::size_t count, std::span<double> out);
    void metric(std::span<double> out) const;

  private:
    std::vector<std::size_t> basic_, others_;
    std::vector<double> factor_;    // of the basic ones, in order, as solveCholesky reads it
    std::vector<double> coupling_;  // per other: how the basic ones follow, negated
    std::vector<double> rows_, diagonal_, column_;
    std::vector<std::size_t> place_;
};

/// Steps of level 2 within the null space of level 1, and the way back for level 1 after them.
class NullSpaceStep {
  public:
    void build(const Problem& problem);

    /// Takes up a pose that is evaluated with both levels, and where level 1 is at rest.
    void look(Problem& problem, const Evaluation& now);
    /// How far level 2 is from rest there: Problem::stationarity of its gradient in the null space.
    [[nodiscard]] double stationarity() const { return at_.stationarity; }

    /// What level 2 is taken for: its rows as straight, or with second derivatives of both levels.
    enum class Curvature { Straight, Full };
    /// Its second derivatives at the pose of look(). Full evaluates `trial` elsewhere.
    void curve(Problem& problem, const Evaluation& now, Curvature curvature, Evaluation& trial);
    /// The step, with this much added to the second derivatives. Coordinates that it carries past a
    /// limit stop there and the others are solved again. False where they are not definite.
    [[nodiscard]] bool solve(const Problem& problem, double damping);
    [[nodiscard]] std::span<const double> step() const { return step_; }
    /// The largest of the second derivatives.
    [[nodiscard]] double largestCurvature() const;

    /// The move of the coordinates that level 1 decides which brings it back to rest from a pose
    /// near that of look(), into step(). With `anew`, by the second derivatives there; otherwise by
    /// those that the last repair or solve() had.
    /// @pre level 1 alone counts, and `there` is evaluated.
    /// @return how much the cost of level 1 falls by it.
    double solveRepair(Problem& problem, const Evaluation& there, bool anew);

  private:
    // Goals whose errors are below this part of their tolerances are met.
    static constexpr double kMet = 1e-3;
    // Products of first derivatives are exact to rounding, second derivatives to differences.
    static constexpr double kMetCutoff = 1e-10, kCutoff = 1e-9;

    void chooseColumns(const Problem& problem, const Evaluation& now);
    void gather(Problem& problem, const Evaluation& now, std::span<const double> gradient,
                std::vector<double>& out);
    void projectGradient();
    [[nodiscard]] double pullAt(std::size_t i) const;

    BoundedGradient at_;
    CostHessian hessian_;
    NullSpaceBasis basis_;
    NullSpaceBasis repair_;  // the last repair's
    bool repaired_ = false;  // whether it was made since solve()
    double cutoff_ = kCutoff;
    std::vector<std::size_t> columns_;                 // that level 1 does not hold at their limits
    std::vector<std::size_t> free_, step_free_;        // indices into columns_
    std::vector<std::uint8_t> released_;               // per columns_
    std::vector<std::uint8_t> straight_;               // per goal row
    std::vector<double> first_, second_, ahead_;       // second derivatives over columns_, whole
    std::vector<double> gradient_one_, gradient_two_;  // per coordinate
    std::vector<double> own_, fixed_, multipliers_, own_step_, pull_;  // per columns_
    std::vector<double> reduced_, metric_, small_, factor_, basic_;
    std::vector<double> step_, moves_;  // per coordinate
};

}  // namespace ulna::ik::detail
