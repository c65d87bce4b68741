// SPDX-License-Identifier: Apache-2.0

// The linear system of a step: Gauss-Newton's or Newton's matrix over the unknown rotations and,
// where they are kept, the unknown translations, from moments alone.
//
// For two rotations the Gauss-Newton block is R_a M_ab R_b^T (less its transpose): no vertex is
// looked at. Free translations leave by a constant Schur complement or stay last in the sparse
// system, whichever takes fewer products.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ulna/fit/detail/block_cholesky.h"
#include "ulna/fit/detail/moments.h"
#include "ulna/solve/damped_newton.h"

namespace ulna::fit::detail {

class NormalSystem {
  public:
    /// Builds the moments and the system together: `must_keep` says that translations stay unknowns
    /// whatever that costs.
    void build(const FitLayout& layout, const VertexPack& pack, bool must_keep, Moments& moments);
    /// Takes the scales of the diagonal blocks from moments that have been weighed.
    void weigh(const Moments& moments);

    /// Assembles the matrix at `values` with `residual` left there, and factors it. False where it
    /// is not positive definite; Gauss-Newton's then has a factor all the same, of a matrix nearby.
    bool factor(const Moments& moments, const FitValues& values, const ResidualMoments& residual,
                Curvature curvature, double damping);
    /// Solves in place for the matrix factored last: three values per block.
    void solve(std::span<double> x) const { cholesky_.solve(x); }

    /// Blocks of three coordinates: the unknown rotations, then the unknown translations if kept.
    [[nodiscard]] std::size_t blockCount() const { return blocks_; }
    /// What the factor at hand is of; nothing before the first, or since weigh().
    struct Factored {
        Curvature curvature = Curvature::GaussNewton;
        double damping = 0.0;
    };
    [[nodiscard]] const std::optional<Factored>& factored() const { return factored_; }
    /// Another frame: what is factored is no longer of its iteration.
    void forget() { factored_.reset(); }

    /// How much is left of coordinate k's own diagonal once those before it are eliminated, from 0
    /// to 1, and a vector that the matrix takes to about zero where that is about 0.
    [[nodiscard]] double independence(std::size_t k) const {
        return cholesky_.independence(k, scales_[k / 3]);
    }
    void nullVector(std::size_t k, std::span<double> x) const { cholesky_.nullVector(k, x); }

  private:
    [[nodiscard]] BlockCholesky::Pattern pattern(const Moments& moments, bool with_translations);
    void assemble(const Moments& moments, const FitValues& values, const ResidualMoments& residual,
                  Curvature curvature);
    void assembleTranslations(const Moments& moments, const FitValues& values);

    std::size_t blocks_ = 0;
    std::vector<Pair> cross_pairs_, translation_pairs_;  // of the pattern, behind the rotations'
    BlockCholesky cholesky_;
    std::vector<double> scales_;  // per block
    std::optional<Factored> factored_;
};

}  // namespace ulna::fit::detail
