// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/topology.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace ulna {
namespace {

using Index = std::uint32_t;

void findPoints(const std::vector<Vec3f>& positions, MeshTopology& out) {
    std::vector<Index> order(positions.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto key = [&](Index v) {
        return std::tie(positions[v].x, positions[v].y, positions[v].z);
    };
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return key(a) < key(b) || (!(key(b) < key(a)) && a < b); });
    // The first vertex of each point stands for it; points are numbered in the vertices' order.
    std::vector<Index> leader(positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i - 1]) == key(order[i]);
        leader[order[i]] = same ? leader[order[i - 1]] : order[i];
    }
    out.point_of_vertex.resize(positions.size());
    for (Index v = 0; v < positions.size(); ++v) {
        if (leader[v] == v) {
            out.point_of_vertex[v] = static_cast<Index>(out.vertex_of_point.size());
            out.vertex_of_point.push_back(v);
        } else {
            out.point_of_vertex[v] = out.point_of_vertex[leader[v]];
        }
    }
}

void findNeighbours(const std::vector<Index>& indices, MeshTopology& out) {
    std::vector<std::pair<Index, Index>> edges;
    edges.reserve(2 * indices.size());
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = out.point_of_vertex[indices[i + k]];
            const Index b = out.point_of_vertex[indices[i + (k + 1) % 3]];
            if (a == b) continue;
            edges.emplace_back(a, b);
            edges.emplace_back(b, a);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    out.first_neighbour.assign(out.pointCount() + 1, 0);
    for (const auto& [from, to] : edges) {
        ++out.first_neighbour[from + 1];
        out.neighbours.push_back(to);
    }
    std::partial_sum(out.first_neighbour.begin(), out.first_neighbour.end(),
                     out.first_neighbour.begin());
}

void findParts(MeshTopology& out) {
    constexpr Index kNone = ~Index{0};
    out.part_of_point.assign(out.pointCount(), kNone);
    std::vector<Index> open;
    for (Index start = 0; start < out.pointCount(); ++start) {
        if (out.part_of_point[start] != kNone) continue;
        const auto part = static_cast<Index>(out.part_count++);
        out.part_of_point[start] = part;
        open.push_back(start);
        while (!open.empty()) {
            const Index point = open.back();
            open.pop_back();
            for (const Index other : out.neighboursOf(point)) {
                if (out.part_of_point[other] != kNone) continue;
                out.part_of_point[other] = part;
                open.push_back(other);
            }
        }
    }
}

}  // namespace

MeshTopology computeTopology(const Mesh& mesh) {
    MeshTopology out;
    findPoints(mesh.positions, out);
    findNeighbours(mesh.indices, out);
    findParts(out);
    return out;
}

}  // namespace ulna
