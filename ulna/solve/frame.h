// SPDX-License-Identifier: Apache-2.0

// RigidFrame: a rotation and a position as the solvers' inner loops use them.
//
// The same as Rigid in math/transform.h, with the rotation as the images of the three axes: moving
// points and axes needs no quaternion product.
#pragma once

#include "ulna/math/vec.h"

namespace ulna {

struct RigidFrame {
    Vec3 x = {1, 0, 0};  ///< the images of the axes: unit vectors, perpendicular to each other
    Vec3 y = {0, 1, 0};
    Vec3 z = {0, 0, 1};
    Vec3 p = {};  ///< the image of the origin

    [[nodiscard]] Vec3 direction(const Vec3& v) const { return x * v.x + y * v.y + z * v.z; }
    [[nodiscard]] Vec3 point(const Vec3& v) const { return p + direction(v); }
};

[[nodiscard]] inline RigidFrame operator*(const RigidFrame& a, const RigidFrame& b) {
    return {a.direction(b.x), a.direction(b.y), a.direction(b.z), a.point(b.p)};
}

}  // namespace ulna
