// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/surface_reader.h"

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"

namespace ulna::skin::detail {
namespace {

// Each vertex as a triangle of no size: the tree then finds nearest vertices.
TriangleTree treeOfVertices(const std::vector<Vec3f>& positions) {
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) indices.insert(indices.end(), {v, v, v});
    return {positions, indices};
}

}  // namespace

SurfaceReader::SurfaceReader(const Mesh& mesh)
    : mesh_(mesh),
      vertices_(treeOfVertices(mesh.positions)),
      surface_(mesh.positions, mesh.indices) {
    ULNA_ASSERT(mesh.weights.rowCount() == mesh.positions.size(),
                "weights are read of a mesh with a row per vertex");
}

std::optional<Shares> SurfaceReader::atVertex(const Vec3& p, double within) const {
    const auto vertex = vertices_.nearest(p, within);
    if (!vertex) return {};
    return sharesOf(mesh_.weights[vertex->triangle]);
}

Shares SurfaceReader::atSurface(const Vec3& p) const {
    const auto point = surface_.nearest(p);
    if (!point) return *atVertex(p, kInfinity);
    Shares out;
    for (std::size_t k = 0; k < 3; ++k)
        addShares(sharesOf(mesh_.weights[mesh_.indices[3 * point->triangle + k]]),
                  point->barycentric[k], out);
    tidy(out);
    normalize(out);
    return out;
}

}  // namespace ulna::skin::detail
