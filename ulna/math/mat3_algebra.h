// SPDX-License-Identifier: Apache-2.0

// Sums and products of 3x3 matrices beyond math/mat3.h, for moments and derivatives.
#pragma once

#include "ulna/math/mat3.h"

namespace ulna {

[[nodiscard]] constexpr Mat3 zeroMat3() {
    return Mat3{{{}, {}, {}}};
}

template <class S>
constexpr Mat3T<S>& operator+=(Mat3T<S>& a, const Mat3T<S>& b) {
    for (std::size_t i = 0; i < 3; ++i) a.rows[i] += b.rows[i];
    return a;
}
template <class S>
constexpr Mat3T<S>& operator-=(Mat3T<S>& a, const Mat3T<S>& b) {
    for (std::size_t i = 0; i < 3; ++i) a.rows[i] -= b.rows[i];
    return a;
}
template <class S>
[[nodiscard]] constexpr Mat3T<S> operator*(const Mat3T<S>& m, const S& factor) {
    return Mat3T<S>{{m.rows[0] * factor, m.rows[1] * factor, m.rows[2] * factor}};
}

template <class S>
[[nodiscard]] constexpr S trace(const Mat3T<S>& m) {
    return m.rows[0].x + m.rows[1].y + m.rows[2].z;
}
/// The sum of the products of corresponding entries (the Frobenius inner product).
template <class S>
[[nodiscard]] constexpr S dot(const Mat3T<S>& a, const Mat3T<S>& b) {
    return dot(a.rows[0], b.rows[0]) + dot(a.rows[1], b.rows[1]) + dot(a.rows[2], b.rows[2]);
}

/// a * transpose(b)
template <class S>
[[nodiscard]] constexpr Mat3T<S> timesTransposed(const Mat3T<S>& a, const Mat3T<S>& b) {
    Mat3T<S> out;
    for (std::size_t i = 0; i < 3; ++i)
        out.rows[i] = {dot(a.rows[i], b.rows[0]), dot(a.rows[i], b.rows[1]),
                       dot(a.rows[i], b.rows[2])};
    return out;
}
/// transpose(m) * v
template <class S>
[[nodiscard]] constexpr Vec3T<S> transposedTimes(const Mat3T<S>& m, const Vec3T<S>& v) {
    return m.rows[0] * v.x + m.rows[1] * v.y + m.rows[2] * v.z;
}

/// a * transpose(b)
template <class S>
[[nodiscard]] constexpr Mat3T<S> outer(const Vec3T<S>& a, const Vec3T<S>& b) {
    return Mat3T<S>{{b * a.x, b * a.y, b * a.z}};
}
/// sum += a * transpose(b)
template <class S>
constexpr void addOuter(const Vec3T<S>& a, const Vec3T<S>& b, Mat3T<S>& sum) {
    sum.rows[0] += b * a.x;
    sum.rows[1] += b * a.y;
    sum.rows[2] += b * a.z;
}

/// The matrix [a] of a cross product from the left: [a] v = a x v.
template <class S>
[[nodiscard]] constexpr Mat3T<S> crossMatrix(const Vec3T<S>& a) {
    return Mat3T<S>{{{S(0), -a.z, a.y}, {a.z, S(0), -a.x}, {-a.y, a.x, S(0)}}};
}
/// The sum of b x a for m = sum of a transpose(b).
template <class S>
[[nodiscard]] constexpr Vec3T<S> axial(const Mat3T<S>& m) {
    return {m.rows[2].y - m.rows[1].z, m.rows[0].z - m.rows[2].x, m.rows[1].x - m.rows[0].y};
}
/// trace(m) - transpose(m): the sum of transpose([a]) [b] for m = sum of a transpose(b). For a = b
/// it is the inertia of unit masses at those points.
template <class S>
[[nodiscard]] constexpr Mat3T<S> inertia(const Mat3T<S>& m) {
    const S sum = trace(m);
    Mat3T<S> out;
    for (std::size_t i = 0; i < 3; ++i) {
        out.rows[i] = -m.column(i);
        out.rows[i][i] += sum;
    }
    return out;
}

}  // namespace ulna
