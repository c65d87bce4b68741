// SPDX-License-Identifier: Apache-2.0

// What is wrong with a mesh, or only odd about it.
//
// Numbers that are not finite, indices out of range, broken weights and no triangles at all are
// wrong: nothing can be done with such a mesh, and readers refuse it. Triangles without area, edges
// of more than two triangles, holes and loose vertices are odd: everything works on them, in a way
// each function states, and this tells how many there are.
#pragma once

#include <cstddef>
#include <optional>

#include "ulna/core/result.h"
#include "ulna/skin/mesh.h"

namespace ulna {

struct MeshReport {
    std::size_t vertices = 0, points = 0, triangles = 0;
    std::size_t parts = 0;              ///< that no edge joins, of those that have triangles
    std::size_t flat_triangles = 0;     ///< without area, or with a corner twice
    std::size_t doubled_triangles = 0;  ///< the same three places once more
    std::size_t crowded_edges = 0;      ///< of more than two triangles
    std::size_t flipped_edges = 0;      ///< whose two triangles disagree about outside
    std::size_t boundary_edges = 0;     ///< of one triangle: holes
    std::size_t pinched_points = 0;     ///< where several fans of triangles meet in one point
    std::size_t loose_vertices = 0;     ///< of no triangle
    bool inside_out = false;            ///< closed, and its volume negative
    Vec3 low = {}, high = {};           ///< the box around it

    /// Every edge has two triangles that agree.
    [[nodiscard]] bool watertight() const {
        return triangles > 0 && crowded_edges == 0 && flipped_edges == 0 && boundary_edges == 0;
    }
};

/// The first thing that is wrong with a mesh, with the vertex or triangle named; nothing where it
/// is in order. Linear time.
[[nodiscard]] std::optional<Diagnostic> findFault(const Mesh& mesh);

/// The report, or the first thing that is wrong.
[[nodiscard]] Result<MeshReport> checkMesh(const Mesh& mesh);

/// A sentence for each odd thing of the report, for people.
[[nodiscard]] Warnings describeOddities(const MeshReport& report, const Mesh& mesh);

}  // namespace ulna
