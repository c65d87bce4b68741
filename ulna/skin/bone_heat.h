// SPDX-License-Identifier: Apache-2.0

// Bone heat: weights that spread over the surface from the bones each vertex sees.
//
// Baran and Popovic, "Automatic rigging and animation of 3D characters", 2007. Each vertex takes
// the heat of its nearest visible bone and loses it to its neighbours: (-L + H) w_j = H p_j, with L
// the cotangent Laplacian of the surface. One sparse factorisation serves all bones.
//
// A bone is seen where a straight line from just below the surface to a point of it meets no
// triangle of the vertex's own part (what no edge joins are different parts), so an arm beside the
// body does not pull at it, and a shirt sees the bones through the body. Parts without a bone
// inside look from outside where they are large beside their distance from the bones (a coat), or
// else go with their nearest bone as a whole (an eye). Leaves of no length are taken to go on in
// their parent's direction. Joints at the top of the tree that only place the character (fixed
// nodes of a file, a root on the floor) get nothing.
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
    /// Joints that may get weights; empty means all but those that only place the character.
    std::vector<JointId> joints = {};
    unsigned threads = 1;  ///< 0 means one per core; the result does not depend on it
    Progress progress = {};
};

/// What became of vertices that bone heat alone says nothing about.
struct BoneHeatReport {
    std::vector<std::uint32_t> hidden = {};   ///< vertices that see no bone: weighted by their
                                              ///< neighbours on the surface
    std::vector<std::uint32_t> loose = {};    ///< vertices of parts that see no bone at all: each
                                              ///< part goes with its nearest bone as a whole
    std::vector<std::uint32_t> outside = {};  ///< vertices of parts without a bone inside that saw
                                              ///< one from outside
    std::vector<JointId> idle = {};           ///< joints with bones that got no vertex
};

struct BoneHeat {
    SkinWeights weights;
    BoneHeatReport report;
};

/// A row for every vertex, never an empty one; vertices in the same place have the same. Weights
/// below a thousandth are not kept, and those beyond `most` leave without a jump: the largest of
/// them is taken from all before the row is scaled to sum to 1. The error is a skeleton without
/// bones, a mesh without triangles or of a size that numbers cannot hold, or `progress` that
/// cancelled.
///
/// Triangles without area carry no heat, edges of several triangles carry the heat of all, and
/// obtuse triangles never carry it backwards (weights of edges are clamped at zero).
/// @pre checkMesh(mesh) finds nothing wrong (skin/check_mesh.h); options.stiffness > 0.
[[nodiscard]] Result<BoneHeat> makeBoneHeatWeights(const Skeleton& skeleton, const Mesh& mesh,
                                                   const BoneHeatOptions& options = {});

}  // namespace ulna
