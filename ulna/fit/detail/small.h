// SPDX-License-Identifier: Apache-2.0

// 3x3 matrices as sums of products, for moments.
#pragma once

#include "ulna/math/mat3.h"

namespace ulna::fit::detail {

[[nodiscard]] inline Mat3 zeroMatrix() {
    return Mat3{{{}, {}, {}}};
}
inline void add(const Mat3& a, Mat3& sum) {
    for (std::size_t i = 0; i < 3; ++i) sum.rows[i] += a.rows[i];
}
inline void add(const Mat3& a, double factor, Mat3& sum) {
    for (std::size_t i = 0; i < 3; ++i) sum.rows[i] += a.rows[i] * factor;
}
inline void subtract(const Mat3& a, Mat3& sum) {
    for (std::size_t i = 0; i < 3; ++i) sum.rows[i] -= a.rows[i];
}
/// sum += a * transpose(b)
inline void addOuter(const Vec3& a, const Vec3& b, Mat3& sum) {
    sum.rows[0] += b * a.x;
    sum.rows[1] += b * a.y;
    sum.rows[2] += b * a.z;
}
inline void subtractOuter(const Vec3& a, const Vec3& b, Mat3& sum) {
    addOuter(-a, b, sum);
}
/// a * transpose(b)
[[nodiscard]] inline Mat3 timesTransposed(const Mat3& a, const Mat3& b) {
    Mat3 out;
    for (std::size_t i = 0; i < 3; ++i)
        out.rows[i] = {dot(a.rows[i], b.rows[0]), dot(a.rows[i], b.rows[1]),
                       dot(a.rows[i], b.rows[2])};
    return out;
}
/// The sum of products of entries.
[[nodiscard]] inline double dot(const Mat3& a, const Mat3& b) {
    return ulna::dot(a.rows[0], b.rows[0]) + ulna::dot(a.rows[1], b.rows[1]) +
           ulna::dot(a.rows[2], b.rows[2]);
}
/// The sum of a x r for m = sum of r a^T.
[[nodiscard]] inline Vec3 axial(const Mat3& m) {
    return {m.rows[2].y - m.rows[1].z, m.rows[0].z - m.rows[2].x, m.rows[1].x - m.rows[0].y};
}
/// How the turns of two arms work together: the sum of [a]x^T [b]x for n = sum of a b^T.
[[nodiscard]] inline Mat3 inertia(const Mat3& n) {
    const double trace = n.rows[0].x + n.rows[1].y + n.rows[2].z;
    Mat3 out;
    for (std::size_t i = 0; i < 3; ++i) out.rows[i] = -n.column(i);
    out.rows[0].x += trace;
    out.rows[1].y += trace;
    out.rows[2].z += trace;
    return out;
}
/// The matrix of a cross product from the left.
[[nodiscard]] inline Mat3 crossMatrix(const Vec3& a) {
    Mat3 out;
    out.rows[0] = {0.0, -a.z, a.y};
    out.rows[1] = {a.z, 0.0, -a.x};
    out.rows[2] = {-a.y, a.x, 0.0};
    return out;
}

}  // namespace ulna::fit::detail
