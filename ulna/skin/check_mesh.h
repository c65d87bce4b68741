// SPDX-License-Identifier: Apache-2.0

// Checks of a mesh: errors and irregularities.
//
// Values that are not finite, indices out of range, invalid weights and a mesh without triangles
// are errors: nothing can be done with such a mesh, and readers reject it. Triangles without area,
// edges of more than two triangles, holes and loose vertices are irregularities: every function
// accepts them and says what it does with them; the report counts them.
#pragma once

#include <cstddef>
#include <optional>

#include "ulna/core/result.h"
#include "ulna/skin/mesh.h"

namespace ulna {

struct MeshReport {
    std::size_t vertices = 0;
    std::size_t points = 0;  ///< distinct positions (MeshTopology)
    std::size_t triangles = 0;
    std::size_t parts = 0;              ///< connected components that have triangles
    std::size_t flat_triangles = 0;     ///< without area, or with two equal corners
    std::size_t doubled_triangles = 0;  ///< with the same three points as another triangle
    std::size_t crowded_edges = 0;      ///< shared by more than two triangles
    std::size_t flipped_edges = 0;      ///< whose two triangles face opposite sides
    std::size_t boundary_edges = 0;     ///< that belong to one triangle: holes
    std::size_t pinched_points = 0;     ///< where several fans of triangles meet
    std::size_t loose_vertices = 0;     ///< that belong to no triangle
    bool inside_out = false;            ///< closed, with negative volume
    Vec3 low = {}, high = {};           ///< the bounding box

    /// Every edge has two triangles that face the same side.
    [[nodiscard]] bool watertight() const {
        return triangles > 0 && crowded_edges == 0 && flipped_edges == 0 && boundary_edges == 0;
    }
};

/// The first error of a mesh, with the index of the vertex or triangle, or nothing if there is no
/// error. Linear time.
[[nodiscard]] std::optional<Diagnostic> findFault(const Mesh& mesh);

/// The report, or the first error.
[[nodiscard]] Result<MeshReport> checkMesh(const Mesh& mesh);

/// A warning for each kind of irregularity in the report.
[[nodiscard]] Warnings describeOddities(const MeshReport& report, const Mesh& mesh);

}  // namespace ulna
