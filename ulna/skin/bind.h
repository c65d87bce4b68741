// SPDX-License-Identifier: Apache-2.0

// Bind matrices: of several skins joined to one, and for a skeleton with anatomical joint axes.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// One mesh with the positions, weights and bind matrices of several, in their order: the input of
/// a fit. Errors: a mesh without a row of weights per vertex, meshes with different bind poses.
/// @pre meshes is not empty.
[[nodiscard]] Result<Mesh> joinedSkins(const Skeleton& skeleton,
                                       std::span<const Mesh* const> meshes);

/// The bind matrices (from the space of the mesh's positions to each joint's frame in the bind
/// pose) of the anatomical skeleton `rig` that was made from `skeleton`.
[[nodiscard]] std::vector<Affine> bindMatrices(const AnatomicalRig& rig, const Skeleton& skeleton,
                                               const Mesh& mesh);

}  // namespace ulna
