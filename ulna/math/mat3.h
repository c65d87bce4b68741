// SPDX-License-Identifier: Apache-2.0

// 3x3 matrices acting on column vectors, stored by rows.
#pragma once

#include "ulna/math/vec.h"

namespace ulna {

template <class S>
struct Mat3T {
    Vec3T<S> rows[3] = {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};

    [[nodiscard]] static constexpr Mat3T fromColumns(const Vec3T<S>& x, const Vec3T<S>& y,
                                                     const Vec3T<S>& z) {
        Mat3T m;
        for (std::size_t i = 0; i < 3; ++i) m.rows[i] = {x[i], y[i], z[i]};
        return m;
    }
    [[nodiscard]] constexpr Vec3T<S> column(std::size_t i) const {
        return {rows[0][i], rows[1][i], rows[2][i]};
    }

    friend constexpr Vec3T<S> operator*(const Mat3T& m, const Vec3T<S>& v) {
        return {dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)};
    }
    friend constexpr Mat3T operator*(const Mat3T& a, const Mat3T& b) {
        Mat3T out;
        for (std::size_t i = 0; i < 3; ++i) {
            out.rows[i] =
                b.rows[0] * a.rows[i].x + b.rows[1] * a.rows[i].y + b.rows[2] * a.rows[i].z;
        }
        return out;
    }
};

using Mat3 = Mat3T<double>;

template <class S>
[[nodiscard]] constexpr Mat3T<S> transpose(const Mat3T<S>& m) {
    return Mat3T<S>::fromColumns(m.rows[0], m.rows[1], m.rows[2]);
}
template <class S>
[[nodiscard]] constexpr S determinant(const Mat3T<S>& m) {
    return dot(m.rows[0], cross(m.rows[1], m.rows[2]));
}

}  // namespace ulna
