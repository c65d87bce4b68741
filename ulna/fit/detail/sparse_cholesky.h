// SPDX-License-Identifier: Apache-2.0

// Cholesky factors of matrices with many zeros, from the last row up: of a skeleton's coordinates,
// parents first, that is leaves first, and what two branches do not share is never filled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ulna::fit::detail {

class SparseCholesky {
  public:
    /// Factors a positive definite n x n matrix, of which the lower triangle by rows is looked at;
    /// zeros in it cost nothing. False where it is not positive definite.
    [[nodiscard]] bool factor(std::span<const double> matrix, std::size_t n);
    void solve(std::span<double> x) const;  ///< in place

    /// What was left of the k-th diagonal entry once those behind it were eliminated.
    [[nodiscard]] double pivot(std::size_t k) const { return pivots_[k]; }
    /// A vector that the matrix takes to about nothing, where that pivot is about nothing.
    void nullVector(std::size_t k, std::span<double> x) const;

  private:
    // Row j of the factor, without its diagonal: what is left of j's ties to those before it.
    struct Entry {
        std::uint32_t before = 0;
        double share = 0.0;  // of the pivot
    };

    [[nodiscard]] std::span<const Entry> ties(std::size_t j) const;

    std::vector<double> rest_;        // what is not eliminated yet, as the matrix
    std::vector<Entry> entries_;      // from the last row up
    std::vector<std::size_t> first_;  // of row j in entries_; it ends where row j - 1 begins
    std::vector<double> pivots_;
};

}  // namespace ulna::fit::detail
