// SPDX-License-Identifier: Apache-2.0

// Rows of weights in work: doubles, one entry per joint.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/topology.h"

namespace ulna::skin::detail {

struct Share {
    JointId joint = JointId::None;
    double weight = 0.0;
};
using Shares = std::vector<Share>;

/// One entry per joint with the sum of its weights, largest first (ties by joint); nothing that is
/// not positive.
void tidy(Shares& row);

/// Divides by the sum. Leaves an empty row empty.
void normalize(Shares& row);

/// Of all rows that sum to 1 with at most `most` entries, none below `least`, the one with the
/// smallest sum of squared differences.
/// @pre row is tidy and sums to 1; most > 0; 0 <= least < 1.
void prune(Shares& row, std::size_t most, double least);

/// At most `most` entries, as a function without a jump: what the largest entry dropped has, or
/// `least` where that is more, is taken from all, and the rest is scaled to sum to 1. Neighbours
/// with nearly the same row keep nearly the same row, and the twins of a symmetric row go together.
/// Where nothing would be left, the largest entry is.
/// @pre row is tidy and sums to 1; most > 0; 0 <= least < 1.
void pruneSmoothly(Shares& row, std::size_t most, double least);

/// Appends a tidy row that sums to 1 as floats that do.
void append(const Shares& row, SkinWeights& out);

/// The row as it stands, in doubles.
[[nodiscard]] Shares sharesOf(std::span<const Influence> row);

/// Adds `factor` times a row, entry after entry; tidy() puts them together.
void addShares(const Shares& row, double factor, Shares& sum);

/// The mean of the rows of a point's vertices, by point, tidy and normalised; vertices without a
/// row do not count.
[[nodiscard]] std::vector<Shares> rowsOfPoints(const SkinWeights& weights,
                                               const MeshTopology& topology);

}  // namespace ulna::skin::detail
