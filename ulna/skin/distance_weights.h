// SPDX-License-Identifier: Apache-2.0

// Weights from the distance d to bones of radius r: w = max(0, r - d) / r, then normalised. Fast,
// but without visibility: an arm influences the body beside it. skin/bone_heat.h avoids that.
#pragma once

#include <vector>

#include "ulna/skin/bones.h"

namespace ulna {

struct DistanceWeightOptions {
    /// The radius of the bones of each joint, in the mesh's unit. Empty means radius_scale times
    /// the skeleton's radii; joints without a radius get a fraction of the skeleton's size.
    std::vector<double> radii = {};
    double radius_scale = 2.5;
};

/// A row per vertex of the mesh. A vertex outside every radius gets an empty row: no joint moves
/// it. A bone of radius 0 influences only vertices that lie on it.
[[nodiscard]] SkinWeights makeDistanceWeights(const Skeleton& skeleton, const Mesh& mesh,
                                              const DistanceWeightOptions& options = {});

}  // namespace ulna
