// SPDX-License-Identifier: Apache-2.0

// Weights from one mesh to another that lies on it: another level of detail, a garment, a scan.
#pragma once

#include "ulna/skin/mesh.h"

namespace ulna {

/// A row for each vertex of `to`: what `from` has at its nearest surface point, between vertices by
/// its place within the triangle. Both meshes are in one space; `from` without triangles gives what
/// its nearest vertex has.
/// @pre from.weights has a row per vertex, and there is a vertex.
[[nodiscard]] SkinWeights transferredWeights(const Mesh& from, const Mesh& to);

}  // namespace ulna
