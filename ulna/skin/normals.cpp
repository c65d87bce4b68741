// SPDX-License-Identifier: Apache-2.0

// Normals weighted by angles: Thürmer and Wüthrich, "Computing vertex normals from polygonal
// facets", 1998.
#include <cmath>

#include "ulna/skin/mesh.h"
#include "ulna/skin/topology.h"

namespace ulna {

std::vector<Vec3f> computeNormals(const Mesh& mesh) {
    const MeshTopology topology = computeTopology(mesh);
    const auto at = [&](std::uint32_t v) {
        const Vec3f& p = mesh.positions[v];
        return Vec3{p.x, p.y, p.z};
    };
    std::vector<Vec3> sums(topology.pointCount());
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const std::uint32_t* corner = &mesh.indices[i];
        const Vec3 area = cross(at(corner[1]) - at(corner[0]), at(corner[2]) - at(corner[0]));
        const double size = length(area);
        if (!(size > 0.0)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 a = at(corner[(k + 1) % 3]) - at(corner[k]);
            const Vec3 b = at(corner[(k + 2) % 3]) - at(corner[k]);
            sums[topology.point_of_vertex[corner[k]]] +=
                area * (std::atan2(size, dot(a, b)) / size);
        }
    }
    std::vector<Vec3f> out;
    out.reserve(mesh.positions.size());
    for (const std::uint32_t point : topology.point_of_vertex)
        out.push_back(cast<float>(normalizedOr(sums[point], Vec3{0, 1, 0})));
    return out;
}

}  // namespace ulna
