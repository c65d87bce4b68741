// SPDX-License-Identifier: Apache-2.0

// Weights as a whole: normalising, pruning, smoothing and mirroring. For work on single joints and
// places see skin/paint.h; from one mesh to another, skin/transfer_weights.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/mirror_pairs.h"
#include "ulna/skin/topology.h"

namespace ulna {

/// Rows as SkinWeights promises them: one influence per joint, largest first (ties by joint),
/// positive, summing to 1. Rows without a positive weight become empty.
[[nodiscard]] SkinWeights normalized(const SkinWeights& weights);

/// What pruning took.
struct PruneLoss {
    double worst = 0.0;  ///< the largest weight taken from a vertex, in all
    double mean = 0.0;
    std::size_t vertices = 0;  ///< that lost something
};

/// At most `most` influences per vertex, none below `least`: of all rows that sum to 1 with so few,
/// the one closest to what was there (the sum of squared differences).
/// @pre most > 0, 0 <= least < 1. At least one influence of a row stays.
[[nodiscard]] SkinWeights pruned(const SkinWeights& weights, std::size_t most, float least = 0.0f,
                                 PruneLoss* loss = nullptr);

/// The same without a jump from vertex to vertex, for weights that vary smoothly: the largest
/// weight that goes is taken from all, and the row is scaled to sum to 1. Loses a little more.
[[nodiscard]] SkinWeights prunedSmoothly(const SkinWeights& weights, std::size_t most,
                                         float least = 0.0f, PruneLoss* loss = nullptr);

/// Each place's weights moved `amount` of the way to the mean of its neighbours', `rounds` times.
/// Vertices in one place come out alike. Rows without influences stay so and do not count.
/// @pre weights has a row per vertex of the topology's mesh; amount is in [0, 1].
[[nodiscard]] SkinWeights smoothed(const SkinWeights& weights, const MeshTopology& topology,
                                   double amount = 0.5, int rounds = 1);

/// Which side is copied over: what lies to the left of the middle, or to the right.
enum class MirrorSide : std::uint8_t { LeftToRight, RightToLeft };

struct MirroredWeights {
    SkinWeights weights;
    std::vector<std::uint32_t> unmatched = {};  ///< vertices without a counterpart within the
                                                ///< tolerance: the nearest surface point was taken
};

/// One side's weights from the other's, joints exchanged by their names; vertices no farther than
/// `tolerance` from the middle get the mean of both readings. The mesh need not be symmetric to the
/// bit. The mirror stands in the origin of the mesh's space, facing pairs.normal.
/// @pre mesh.weights has a row per vertex; pairs are of the skeleton it is weighted to.
[[nodiscard]] MirroredWeights mirroredWeights(const Mesh& mesh, const MirrorPairs& pairs,
                                              MirrorSide side, double tolerance);

/// The same in the model at rest, where the mesh's own space is another or the bind another pose.
[[nodiscard]] MirroredWeights mirroredWeights(const Skeleton& skeleton, const Mesh& mesh,
                                              const MirrorPairs& pairs, MirrorSide side,
                                              double tolerance);

}  // namespace ulna
