// SPDX-License-Identifier: Apache-2.0

// Weights from the distance to bones: w = max(0, r - d) / r, then normalised. Quick and without a
// view of the surface, so an arm beside the body pulls at it; skin/bone_heat.h does not.
#pragma once

#include <vector>

#include "ulna/skin/bones.h"

namespace ulna {

struct DistanceWeightOptions {
    /// By joint, in the mesh's units: how far its bones reach. Empty means radius_scale times the
    /// skeleton's own radii, with a share of its size where it states none.
    std::vector<double> radii = {};
    double radius_scale = 2.5;
};

/// A row per vertex of the mesh. A vertex that no bone reaches gets an empty row: it keeps its
/// place. A bone of radius 0 reaches nothing but what lies on it.
[[nodiscard]] SkinWeights makeDistanceWeights(const Skeleton& skeleton, const Mesh& mesh,
                                              const DistanceWeightOptions& options = {});

}  // namespace ulna
