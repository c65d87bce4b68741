// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/projection.h"

namespace ulna::draw::detail {

Projection makeProjection(View view, UpAxis up) {
    // Stated for y up and the figure facing +z, then rotated for z up, facing -y.
    Vec3 towards{0, 0, 1};
    if (view == View::Side) towards = {1, 0, 0};
    if (view == View::ThreeQuarter) towards = normalizedOr(Vec3{0.62, 0.30, 0.80}, Vec3{});
    const Vec3 right = normalizedOr(cross(Vec3{0, 1, 0}, towards), Vec3{1, 0, 0});
    Projection out{right, cross(towards, right), towards};
    if (up == UpAxis::Z) {
        const auto rotated = [](const Vec3& v) { return Vec3{v.x, -v.z, v.y}; };
        out = {rotated(out.right), rotated(out.up), rotated(out.towards)};
    }
    return out;
}

}  // namespace ulna::draw::detail
