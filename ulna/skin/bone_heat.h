// SPDX-License-Identifier: Apache-2.0

// Bone heat: automatic weights that diffuse over the surface from the visible bones.
//
// Baran and Popovic, "Automatic rigging and animation of 3D characters", 2007. Each vertex takes
// the heat of its nearest visible bone and loses it to its neighbours: (-L + H) w_j = H p_j, with L
// the cotangent Laplacian of the surface. One sparse factorisation serves all bones.
//
// A bone is visible from a vertex if a segment from just below the surface to a point of the bone
// crosses no triangle of the vertex's own part (a connected component of the mesh). So an arm does
// not influence the body beside it, and a shirt sees the bones through the body. A part that
// contains no bone is tested from outside the surface if it is large compared with its distance
// from the bones (a coat); otherwise the whole part follows its nearest bone (an eye). A leaf bone
// of length zero continues in its parent's direction. Joints at the top of the hierarchy that only
// position the character (fixed nodes of a file, a root on the floor) get no weights.
#pragma once

#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/skin/bones.h"

namespace ulna {

struct BoneHeatOptions {
    static constexpr double kLeastStiffness = 1e-3;
    static constexpr double kMostStiffness = 1e6;

    /// Factor of H, within the bounds above: a larger value keeps weights closer to the bone.
    double stiffness = 1.0;
    std::size_t most = 4;  ///< influences per vertex; 0 means all
    /// Joints that may get weights; empty means all but those that only position the character.
    std::vector<JointId> joints = {};
    unsigned threads = 1;  ///< 0 means one per core; the result does not depend on it
    Progress progress = {};
};

/// Vertices that needed a rule of their own.
struct BoneHeatReport {
    std::vector<std::uint32_t> hidden = {};   ///< vertices that see no bone: their weights come
                                              ///< from their neighbours on the surface
    std::vector<std::uint32_t> loose = {};    ///< vertices of parts that see no bone, or are too
                                              ///< small to be warmed by one: the whole part
                                              ///< follows its nearest bone
    std::vector<std::uint32_t> outside = {};  ///< vertices of parts that contain no bone and saw
                                              ///< one from outside
    std::vector<std::uint32_t> stray = {};    ///< vertices farther from the skeleton than ten
                                              ///< times its extent; they are in other lists too
    std::vector<JointId> idle = {};           ///< joints with bones that influence no vertex
};

struct BoneHeat {
    SkinWeights weights;
    BoneHeatReport report;
};

/// Computes weights: a row for every vertex, never an empty one. Vertices at the same position have
/// the same row. Weights below 0.001 are removed, and rows are shortened to `most` influences as
/// prunedSmoothly does it (skin/edit_weights.h). Errors: a skeleton without bones, a mesh without
/// triangles or too large for floating point, and `progress` that cancelled.
///
/// Triangles without area conduct no heat. An edge of several triangles conducts the heat of all of
/// them; those at an edge of more than 16 hide no bone. Edge weights are clamped at zero, so that
/// obtuse triangles never conduct heat backwards. Scales are those of each part, so that a stray
/// triangle far away changes no other weights. A point whose equation is lost to rounding takes its
/// nearest bone.
/// @pre checkMesh(mesh) returns no error (skin/check_mesh.h); options.stiffness is within its
/// bounds.
[[nodiscard]] Result<BoneHeat> makeBoneHeatWeights(const Skeleton& skeleton, const Mesh& mesh,
                                                   const BoneHeatOptions& options = {});

}  // namespace ulna
