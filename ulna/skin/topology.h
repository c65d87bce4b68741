// SPDX-License-Identifier: Apache-2.0

// Which vertices of a mesh are one place, and which places are neighbours.
//
// Files split vertices where normals or texture coordinates jump; the surface has no seam there.
// Everything that spreads over a surface works on places: vertices at exactly the same position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna {

struct MeshTopology {
    std::vector<std::uint32_t> point_of_vertex = {};
    std::vector<std::uint32_t> vertex_of_point = {};  ///< the first of each

    /// Neighbours of each place along edges, ascending, each once; laid out as SkinWeights is.
    std::vector<std::uint32_t> neighbours = {};
    std::vector<std::uint32_t> first_neighbour = {};

    /// Parts that no edge joins, by place; numbered in the order of their first vertices.
    std::vector<std::uint32_t> part_of_point = {};
    std::size_t part_count = 0;

    [[nodiscard]] std::size_t pointCount() const { return vertex_of_point.size(); }
    [[nodiscard]] std::span<const std::uint32_t> neighboursOf(std::size_t place) const {
        return std::span(neighbours)
            .subspan(first_neighbour[place], first_neighbour[place + 1] - first_neighbour[place]);
    }
};

/// @pre indices are in range and positions finite.
[[nodiscard]] MeshTopology computeTopology(const Mesh& mesh);

}  // namespace ulna
