// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/mesh.h"

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/detail/points.h"

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
