// SPDX-License-Identifier: Apache-2.0

// Bone heat: weights that spread over the surface from the bones each vertex sees.
//
// Baran and Popovic, "Automatic rigging and animation of 3D characters", 2007. Each vertex takes
// the heat of its nearest visible bone and loses it to its neighbours: (-L + H) w_j = H p_j, with L
// the cotangent Laplacian of the surface. One sparse factorisation serves all bones.
#pragma once

#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/skin/bones.h"

namespace ulna {

struct BoneHeatOptions {
    double stiffness = 1.0;  ///< of the heat: larger keeps weights closer to their bone
    std::size_t most = 4;    ///< influences a vertex keeps; 0 means all
    unsigned threads = 1;    ///< 0 means one per core; the result does not depend on it
    Progress progress = {};
};

/// What became of vertices that bone heat alone says nothing about.
struct BoneHeatReport {
    std::vector<std::uint32_t> hidden = {};  ///< vertices that see no bone: weighted by their
                                             ///< neighbours on the surface
    std::vector<std::uint32_t> loose = {};   ///< vertices of parts that see no bone at all: each
                                             ///< part goes with its nearest bone as a whole
    std::vector<JointId> idle = {};          ///< joints with bones that got no vertex
};

struct BoneHeat {
    SkinWeights weights;
    BoneHeatReport report;
};

/// A row for every vertex, never an empty one. The error is a skeleton without bones, a mesh
/// without triangles, or `progress` that cancelled.
/// @pre checkMesh(mesh) finds nothing wrong (skin/check_mesh.h).
[[nodiscard]] Result<BoneHeat> makeBoneHeatWeights(const Skeleton& skeleton, const Mesh& mesh,
                                                   const BoneHeatOptions& options = {});

}  // namespace ulna
