// SPDX-License-Identifier: Apache-2.0

// Skins as others bind them: several as one, and on a skeleton whose joints have anatomical axes.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// Positions, weights and bind matrices of several skins in their order, as one: what a fit needs.
/// Fails where they are bound in different poses.
/// @pre meshes is not empty; each has a row of weights per vertex.
[[nodiscard]] Result<Mesh> joinedSkins(const Skeleton& skeleton,
                                       std::span<const Mesh* const> meshes);

/// From the space of a mesh's positions to each joint's frame at bind, for the joints of the
/// anatomical skeleton that was made from `skeleton`.
[[nodiscard]] std::vector<Affine> bindMatrices(const AnatomicalRig& rig, const Skeleton& skeleton,
                                               const Mesh& mesh);

}  // namespace ulna
