// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/mesh.h"

#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/topology.h"

namespace ulna {
namespace {

Vec3f rotated(const Quat& q, const Vec3f& v) {
    return cast<float>(rotate(q, skin::detail::widened(v)));
}

}  // namespace

Mesh scaledMesh(Mesh mesh, double factor) {
    const auto by = static_cast<float>(factor);
    for (Vec3f& p : mesh.positions) p *= by;
    for (Affine& a : mesh.joint_from_bind)
        for (std::size_t i = 0; i < 3; ++i) a.columns[3][i] *= factor;
    return mesh;
}

Mesh rotatedMesh(Mesh mesh, const Quat& new_from_old) {
    for (Vec3f& p : mesh.positions) p = rotated(new_from_old, p);
    for (Vec3f& n : mesh.normals) n = rotated(new_from_old, n);
    for (Tangent& t : mesh.tangents) t.direction = rotated(new_from_old, t.direction);
    const Affine old_from_new = toAffine(Rigid{{}, conjugate(new_from_old)});
    for (Affine& a : mesh.joint_from_bind) a = a * old_from_new;
    return mesh;
}

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

std::vector<Affine> bindMatrices(const Skeleton& skeleton, const Mesh& mesh) {
    if (!mesh.joint_from_bind.empty()) return mesh.joint_from_bind;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    std::vector<Affine> out;
    out.reserve(rest.model_from_joint.size());
    for (const Affine& model_from_joint : rest.model_from_joint)
        out.push_back(inverse(model_from_joint));
    return out;
}

Affine restPlacement(const Skeleton& skeleton, const Mesh& mesh) {
    if (mesh.joint_from_bind.empty() || mesh.weights.influences.empty()) return {};
    const JointId joint = mesh.weights.influences.front().joint;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    return rest[joint] * mesh.joint_from_bind[index(joint)];
}

}  // namespace ulna
