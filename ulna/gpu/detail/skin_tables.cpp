// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/skin_tables.h"

namespace ulna::gpu::detail {
namespace {

Vec3 widened(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

void put(const Vec3& v, float* to) {
    for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
}

// Vertices without influences are put where they stay.
void putVertices(const Mesh& mesh, const Affine& rest, SkinTables& out) {
    out.vertices.resize(mesh.positions.size(), kernel::SkinVertex{});
    const Vec3 x = rest.column(0), y = rest.column(1), z = rest.column(2);
    const Mat3 cofactors = Mat3::fromColumns(cross(y, z), cross(z, x), cross(x, y));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const bool stays = !mesh.weights.empty() && mesh.weights[v].empty();
        const Vec3 position = widened(mesh.positions[v]);
        put(stays ? rest * position : position, out.vertices[v].position);
        if (mesh.normals.empty()) continue;
        const Vec3 normal = normalizedOr(widened(mesh.normals[v]), Vec3{0, 1, 0});
        put(stays ? normalizedOr(cofactors * normal, normal) : normal, out.vertices[v].normal);
    }
}

void putInfluences(const Skeleton& skeleton, const Mesh& mesh, SkinTables& out) {
    const Influence nothing[] = {{jointId(skeleton.jointCount()), 1.0f}};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        kernel::SkinVertex& vertex = out.vertices[v];
        const bool has = v < mesh.weights.rowCount() && !mesh.weights[v].empty();
        const std::span<const Influence> row =
            has ? mesh.weights[v] : std::span<const Influence>(nothing);
        vertex.further = static_cast<int>(out.further_weights.size());
        for (std::size_t k = 0; k < row.size(); ++k) {
            const int joint = static_cast<int>(index(row[k].joint));
            if (k < kernel::kSkinInfluences) {
                vertex.weight[k] = row[k].weight;
                vertex.joint[k] = joint;
            } else {
                out.further_weights.push_back(row[k].weight);
                out.further_joints.push_back(joint);
                ++vertex.further_count;
            }
        }
    }
}

}  // namespace

SkinTables makeSkinTables(const Skeleton& skeleton, const Mesh& mesh) {
    SkinTables out;
    putVertices(mesh, restPlacement(skeleton, mesh), out);
    putInfluences(skeleton, mesh, out);
    for (const Affine& bind : bindMatrices(skeleton, mesh)) {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 4; ++k) out.joint_from_bind.push_back(bind.columns[k][i]);
        const Vec3 at = inverse(bind).translation();
        out.at_bind.insert(out.at_bind.end(), {at.x, at.y, at.z});
    }
    return out;
}

}  // namespace ulna::gpu::detail
