// SPDX-License-Identifier: Apache-2.0

// Weights anywhere in space: those of the nearest vertex or point of a surface.
#pragma once

#include <optional>

#include "ulna/skin/detail/rows.h"
#include "ulna/skin/triangle_tree.h"

namespace ulna::skin::detail {

class SurfaceReader {
  public:
    /// @pre mesh.weights has a row per vertex.
    explicit SurfaceReader(const Mesh& mesh);

    /// The row of the nearest vertex within a distance; nothing where there is none.
    [[nodiscard]] std::optional<Shares> atVertex(const Vec3& p, double within) const;
    /// The row at the nearest surface point, tidy and normalised. @pre the mesh has a vertex.
    [[nodiscard]] Shares atSurface(const Vec3& p) const;

  private:
    const Mesh& mesh_;
    TriangleTree vertices_;
    TriangleTree surface_;
};

}  // namespace ulna::skin::detail
