// SPDX-License-Identifier: Apache-2.0

// The inner loops of fits, chosen at run time for the machine's vector unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ulna/fit/detail/vertex_pack.h"

namespace ulna::fit::detail {

/// As computePointMoments (detail/vertex_pack.h).
void computePointMomentsSimd(const VertexPack& pack, std::span<const double> point_masses,
                             std::span<const Row4> targets, std::span<Rows4> out);

/// As computeLeftover (detail/vertex_pack.h).
Leftover computeLeftoverSimd(const VertexPack& pack, std::span<const double> masses,
                             std::span<const Columns4> matrices, std::span<const Row4> targets,
                             std::span<double> distances);

/// A step of a Cholesky factorisation: blocks of 12 values, by columns of four. From `blocks`, at
/// the blocks that `targets` lists, products a_i transpose(a_k) of `count` entries are taken, for
/// every i and k up to i.
void subtractProductsSimd(const double* entries, std::size_t count, const std::uint32_t* targets,
                          double* blocks);

}  // namespace ulna::fit::detail
