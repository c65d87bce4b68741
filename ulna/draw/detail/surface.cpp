// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/surface.h"

#include "ulna/core/assert.h"

namespace ulna::draw::detail {
namespace {

void addMesh(const ShadedMesh& shaded, const Projection& projection, const Vec3& middle,
             double size, Surface& out) {
    const Mesh& mesh = shaded.mesh;
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    const std::vector<Vec3f> made =
        mesh.normals.empty() ? computeNormals(mesh) : std::vector<Vec3f>{};
    const std::vector<Vec3f>& normals = mesh.normals.empty() ? made : mesh.normals;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3f& p = mesh.positions[i];
        out.positions.push_back(projection((Vec3{p.x, p.y, p.z} - middle) / size));
        out.normals.push_back(normalizedOr(
            projection(Vec3{normals[i].x, normals[i].y, normals[i].z}), Vec3{0, 0, 1}));
        out.lights.push_back(toLight(mesh.colors.empty() ? shaded.color : mesh.colors[i]));
    }
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            ULNA_ASSERT(mesh.indices[i + k] < mesh.positions.size(),
                        "a triangle's corner must be a vertex of the mesh");
            corners[k] = first + mesh.indices[i + k];
        }
        out.triangles.push_back(corners);
    }
}

}  // namespace

Box Surface::box() const {
    Box out;
    for (const auto& triangle : triangles) {
        for (const std::uint32_t corner : triangle) out.add(positions[corner]);
    }
    return out;
}

Box modelBox(const ShadedFigure& figure) {
    Box out;
    for (const ShadedMesh& shaded : figure.meshes) {
        for (const std::uint32_t corner : shaded.mesh.indices) {
            const Vec3f& p = shaded.mesh.positions[corner];
            out.add(Vec3{p.x, p.y, p.z});
        }
    }
    return out;
}

Surface makeSurface(const ShadedFigure& figure, const Projection& projection, const Vec3& middle,
                    double size) {
    Surface out;
    for (const ShadedMesh& mesh : figure.meshes) addMesh(mesh, projection, middle, size, out);
    return out;
}

}  // namespace ulna::draw::detail
