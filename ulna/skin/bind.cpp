// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/bind.h"

#include "ulna/core/assert.h"

namespace ulna {
namespace {

bool sameBind(const std::vector<Affine>& a, const std::vector<Affine>& b) {
    constexpr double kSame = 1e-6;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double size = 1.0 + length(a[j].translation());
        for (std::size_t c = 0; c < 4; ++c)
            if (length(a[j].column(c) - b[j].column(c)) > kSame * size) return false;
    }
    return true;
}

}  // namespace

Result<Mesh> joinedSkins(const Skeleton& skeleton, std::span<const Mesh* const> meshes) {
    ULNA_ASSERT(!meshes.empty(), "there is no skin to join");
    Mesh out;
    out.name = meshes.front()->name;
    out.joint_from_bind = bindMatrices(skeleton, *meshes.front());
    for (const Mesh* mesh : meshes) {
        if (mesh->weights.rowCount() != mesh->positions.size())
            return Diagnostic{.what = "the mesh has no weights",
                              .text = mesh->name,
                              .advice = "tie it to the joints first"};
        if (!sameBind(out.joint_from_bind, bindMatrices(skeleton, *mesh)))
            return Diagnostic{.what = "the meshes have different bind poses", .text = mesh->name};
        out.positions.insert(out.positions.end(), mesh->positions.begin(), mesh->positions.end());
        for (std::size_t v = 0; v < mesh->positions.size(); ++v)
            out.weights.addRow(mesh->weights[v]);
    }
    return out;
}

std::vector<Affine> bindMatrices(const AnatomicalRig& rig, const Skeleton& skeleton,
                                 const Mesh& mesh) {
    std::vector<Affine> out = bindMatrices(skeleton, mesh);
    for (std::size_t j = 0; j < out.size(); ++j) {
        const Quat rotation = conjugate(rig.joint_from_anatomical[j]);
        out[j] = makeAffine(toMatrix(rotation), Vec3{}) * out[j];
    }
    return out;
}

}  // namespace ulna
