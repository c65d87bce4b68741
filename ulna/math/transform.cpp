// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/transform.h"

namespace ulna {

Affine inverse(const Affine& a) {
    const Mat3 m = a.linear();
    const double det = determinant(m);
    // A map that flattens space has no inverse; zero is the defined answer.
    if (det == 0.0) return makeAffine(Mat3{{{}, {}, {}}}, Vec3{});
    Mat3 inv = Mat3::fromColumns(cross(m.rows[1], m.rows[2]), cross(m.rows[2], m.rows[0]),
                                 cross(m.rows[0], m.rows[1]));
    for (Vec3& row : inv.rows) row = row / det;
    return makeAffine(inv, -(inv * a.translation()));
}

Quat rotationOf(const Affine& a) {
    const Mat3 m = a.linear();
    const Vec3 x = normalizedOr(m.column(0), Vec3{});
    const Vec3 y = normalizedOr(m.column(1), Vec3{});
    const Vec3 z = normalizedOr(m.column(2), Vec3{});
    // Gram-Schmidt from the first usable column; what is missing is completed right-handed.
    const Vec3 first = normalizedOr(x, normalizedOr(cross(y, z), Vec3{1, 0, 0}));
    const Vec3 second = normalizedOr(y - first * dot(first, y),
                                     normalizedOr(cross(z, first), anyPerpendicular(first)));
    return quatFromMatrix(Mat3::fromColumns(first, second, cross(first, second)));
}

}  // namespace ulna
