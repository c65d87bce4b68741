// SPDX-License-Identifier: Apache-2.0

// The points of a mesh and their neighbours.
//
// Files split vertices where normals or texture coordinates are discontinuous, but the surface has
// no seam there. Everything that spreads over a surface works on points: a point is all vertices at
// exactly the same position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna {

struct MeshTopology {
    std::vector<std::uint32_t> point_of_vertex = {};
    std::vector<std::uint32_t> vertex_of_point = {};  ///< the first vertex of each point

    /// The neighbours of each point along edges, in ascending order, each once. Those of point p
    /// are from first_neighbour[p] up to first_neighbour[p + 1].
    std::vector<std::uint32_t> neighbours = {};
    std::vector<std::uint32_t> first_neighbour = {};

    /// The part (connected component) of each point, in the order of their first vertices.
    std::vector<std::uint32_t> part_of_point = {};
    std::size_t part_count = 0;

    [[nodiscard]] std::size_t pointCount() const { return vertex_of_point.size(); }
    [[nodiscard]] std::span<const std::uint32_t> neighboursOf(std::size_t point) const {
        return std::span(neighbours)
            .subspan(first_neighbour[point], first_neighbour[point + 1] - first_neighbour[point]);
    }
};

/// @pre indices are in range and positions finite.
[[nodiscard]] MeshTopology computeTopology(const Mesh& mesh);

}  // namespace ulna
