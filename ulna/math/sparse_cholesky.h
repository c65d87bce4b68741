// SPDX-License-Identifier: Apache-2.0

// Cholesky factors of symmetric matrices with many zeros, eliminated from the last row up.
//
// Of a skeleton's coordinates, parents first, that is leaves first: what two branches do not share
// is never filled. The pattern of zeros may differ from matrix to matrix. For a pattern of 3x3
// blocks that stays, see fit/detail/block_cholesky.h; for matrices without zeros math/dense.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ulna {

/// factor() needs it alone; threads may solve with one at once.
class SparseCholesky {
  public:
    /// Factors a positive definite n x n matrix, of which the lower triangle by rows is read; zeros
    /// in it cost nothing. False where it is not positive definite.
    [[nodiscard]] bool factor(std::span<const double> matrix, std::size_t n);
    /// Solves in place. @pre factor() returned true.
    void solve(std::span<double> x) const;

    /// What was left of the k-th diagonal entry once those behind it were eliminated.
    [[nodiscard]] double pivot(std::size_t k) const { return pivots_[k]; }
    /// A vector that the matrix takes to about zero, where that pivot is about zero.
    void nullVector(std::size_t k, std::span<double> x) const;

  private:
    // Row j of the factor, without its diagonal: what connects j with the coordinates before it.
    struct Entry {
        std::uint32_t column = 0;
        double share = 0.0;  // of the pivot
    };

    [[nodiscard]] std::span<const Entry> row(std::size_t j) const;

    std::vector<double> rest_;        // what is not eliminated yet, as the matrix
    std::vector<Entry> entries_;      // from the last row up
    std::vector<std::size_t> first_;  // of row j in entries_; it ends where row j - 1 begins
    std::vector<double> pivots_;
};

}  // namespace ulna
