// SPDX-License-Identifier: Apache-2.0

// Operations on all weights of a mesh: normalising, pruning, smoothing, mirroring. To change the
// weights of one joint in one region see skin/paint.h; to copy weights to another mesh see
// skin/transfer_weights.h.
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

/// The weight that pruning removed.
struct PruneLoss {
    double worst = 0.0;        ///< the largest sum of weights removed from one vertex
    double mean = 0.0;         ///< of the sums, over all vertices
    std::size_t vertices = 0;  ///< that lost an influence
};

struct PrunedWeights {
    SkinWeights weights;
    PruneLoss loss;
};

/// Keeps at most `most` influences per vertex and none below `least`, but always the largest. Of
/// all rows with these influences that sum to 1, the result is the one closest to the old row (by
/// the sum of squared differences).
/// @pre most > 0, 0 <= least < 1.
[[nodiscard]] PrunedWeights pruned(const SkinWeights& weights, std::size_t most,
                                   float least = 0.0f);

/// The same for weights that vary smoothly over the surface: the result varies smoothly too. The
/// largest weight that is removed is subtracted from all weights of the row, and the row is scaled
/// to sum to 1. Loses a little more than `pruned`.
[[nodiscard]] PrunedWeights prunedSmoothly(const SkinWeights& weights, std::size_t most,
                                           float least = 0.0f);

/// Moves the weights of each point by the fraction `amount` towards the mean of its neighbours'
/// weights, `rounds` times. Vertices of one point (MeshTopology) get equal weights. Rows without
/// influences stay empty and do not count.
/// @pre weights has a row per vertex of the topology's mesh; amount is in [0, 1].
[[nodiscard]] SkinWeights smoothed(const SkinWeights& weights, const MeshTopology& topology,
                                   double amount = 0.5, int rounds = 1);

/// Which side is copied to the other.
enum class MirrorSide : std::uint8_t { LeftToRight, RightToLeft };

struct MirroredWeights {
    SkinWeights weights;
    std::vector<std::uint32_t> unmatched = {};  ///< vertices whose mirror image is farther than
                                                ///< the tolerance from any vertex: they got
                                                ///< the weights of the nearest surface point
};

/// Copies one side's weights to the other side, with left and right joints exchanged (`pairs`).
/// Vertices at most `tolerance` from the mirror plane get the mean of their own weights and the
/// mirrored ones. The mesh need not be exactly symmetric. The mirror plane goes through the origin
/// of the mesh's space; pairs.normal is its normal.
/// @pre mesh.weights has a row per vertex; pairs are of the skeleton it is weighted to.
[[nodiscard]] MirroredWeights mirroredWeights(const Mesh& mesh, const MirrorPairs& pairs,
                                              MirrorSide side, double tolerance);

/// The same with the mirror plane in model space, for the mesh in the rest pose: for meshes whose
/// space is not the model's, or whose bind pose is not the rest pose.
[[nodiscard]] MirroredWeights mirroredWeights(const Skeleton& skeleton, const Mesh& mesh,
                                              const MirrorPairs& pairs, MirrorSide side,
                                              double tolerance);

}  // namespace ulna
