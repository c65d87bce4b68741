// SPDX-License-Identifier: Apache-2.0

// Weights copied from one mesh to another that lies close to it: a level of detail, a garment, a
// scan.
#pragma once

#include "ulna/skin/mesh.h"

namespace ulna {

/// A row for each vertex of `to`: the weights of `from` at the nearest surface point, interpolated
/// by barycentric coordinates, or those of the nearest vertex if `from` has no triangles. Both
/// meshes are in the same space.
/// @pre from.weights has a row per vertex, and there is a vertex.
[[nodiscard]] SkinWeights transferredWeights(const Mesh& from, const Mesh& to);

}  // namespace ulna
