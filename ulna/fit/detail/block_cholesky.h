// SPDX-License-Identifier: Apache-2.0

// Cholesky factors of sparse symmetric matrices of 3x3 blocks, the pattern analysed once.
//
// Blocks are eliminated in order of least degree: for a tree that is leaves first, which fills in
// nothing. A block is stored by columns of four values, the fourth unused, so that a column is a
// vector.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ulna/math/mat3.h"

namespace ulna::fit::detail {

class BlockCholesky {
  public:
    using Pattern = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    /// Chooses the order for so many blocks and these pairs that are not zero, and says how many
    /// products of blocks a factorisation takes.
    std::size_t analyze(std::size_t blocks, const Pattern& pairs);

    /// Where the i-th pair of the pattern is stored; where a diagonal block is, diagonalSlot()
    /// says.
    struct Slot {
        std::uint32_t block = 0;
        bool transposed = false;
    };
    [[nodiscard]] Slot pairSlot(std::size_t i) const { return pair_slots_[i]; }
    [[nodiscard]] Slot diagonalSlot(std::size_t block) const { return {order_[block], false}; }

    void clear();
    /// Stores a block: the rows of the pair's first by the columns of its second.
    void set(const Slot& slot, const Mat3& block);

    /// Factors what was set, with damping times its diagonal added to it; a block's diagonal counts
    /// as no less than its scale. The matrix set stays for another try. False where it is not
    /// positive definite: then the factor is of another that is.
    bool factor(double damping, std::span<const double> scales);
    /// Solves in place: three values per block.
    void solve(std::span<double> x) const;

    /// How much is left of coordinate k's own diagonal (or its scale) once those before it are
    /// eliminated, from 0 to 1: 0 where it says nothing that they have not.
    [[nodiscard]] double independence(std::size_t k, double scale) const;
    /// A vector that the matrix takes to about nothing, for a coordinate without independence.
    void nullVector(std::size_t k, std::span<double> x) const;

  private:
    void findOrder(std::size_t blocks, const Pattern& pairs,
                   std::vector<std::vector<std::uint32_t>>& columns);
    void backward(std::span<double> x) const;

    std::vector<std::uint32_t> order_;         // per block: when it is eliminated
    std::vector<std::uint32_t> block_at_;      // the inverse
    std::vector<Slot> pair_slots_;             // per pair
    std::vector<std::uint32_t> first_;         // in order: its first entry below the diagonal
    std::vector<std::uint32_t> rows_;          // per entry: its row, in order
    std::vector<std::uint32_t> first_target_;  // in order
    std::vector<std::uint32_t> targets_;       // blocks that products of entries are taken from
    std::vector<double> matrix_, factor_;      // per block 12 values: diagonal ones, then entries
    std::vector<double> inverse_roots_;        // per coordinate, in order
    mutable std::vector<double> work_;
};

}  // namespace ulna::fit::detail
