// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/mesh.h"

namespace ulna {
namespace {

Vec3f turned(const Quat& q, const Vec3f& v) {
    const Vec3 out = rotate(q, Vec3{v.x, v.y, v.z});
    return {static_cast<float>(out.x), static_cast<float>(out.y), static_cast<float>(out.z)};
}

}  // namespace

Mesh scaledMesh(Mesh mesh, double factor) {
    const auto by = static_cast<float>(factor);
    for (Vec3f& p : mesh.positions) p *= by;
    for (Affine& a : mesh.joint_from_bind)
        for (std::size_t i = 0; i < 3; ++i) a.columns[3][i] *= factor;
    return mesh;
}

Mesh turnedMesh(Mesh mesh, const Quat& new_from_old) {
    for (Vec3f& p : mesh.positions) p = turned(new_from_old, p);
    for (Vec3f& n : mesh.normals) n = turned(new_from_old, n);
    const Affine old_from_new = toAffine(Rigid{{}, conjugate(new_from_old)});
    for (Affine& a : mesh.joint_from_bind) a = a * old_from_new;
    return mesh;
}

}  // namespace ulna
