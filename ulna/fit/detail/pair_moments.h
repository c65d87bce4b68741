// SPDX-License-Identifier: Apache-2.0

// The constant moments of pairs of points: for points j and k the sum over the vertices of
// m w_j w_k [x; 1][x; 1]^T, where x is the rest position. Everything that a fit needs of its
// vertices, targets apart, is made of these.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/vertex_pack.h"

namespace ulna::fit::detail {

/// Two indices; of what, the owner says.
struct Pair {
    std::uint32_t a = 0, b = 0;
};

/// A symmetric 4x4 matrix [x; 1][x; 1]^T: xx xy xz x yy yz y zz z 1.
using Sym4 = std::array<double, 10>;

class PairMoments {
  public:
    /// Finds the pairs of points that share a vertex, every such point with itself among them.
    void build(const VertexPack& pack);
    /// Computes the moments for these masses, one per vertex.
    void weigh(const VertexPack& pack, std::span<const double> masses);

    /// Pairs a <= b.
    [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
    /// The index of the pair of two points in either order, or kNone.
    [[nodiscard]] std::uint32_t at(std::size_t j, std::size_t k) const {
        return at_[j * points_ + k];
    }
    [[nodiscard]] const Sym4& moment(std::size_t pair) const { return moments_[pair]; }
    /// The sum of all masses.
    [[nodiscard]] double mass() const { return mass_; }

  private:
    std::size_t points_ = 0;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> at_;  // points x points
    std::vector<Sym4> moments_;      // per pair
    double mass_ = 0.0;
};

}  // namespace ulna::fit::detail
