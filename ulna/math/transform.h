// SPDX-License-Identifier: Apache-2.0

// Transforms, named by the frames they join: `a_from_b` maps b-coordinates to a-coordinates, so
// `a_from_b * b_from_c` is `a_from_c`.
//
//   Rigid   rotation and translation; closed under product and inverse
//   Trs     translation, rotation, scale, in that order of application from the left: what a joint
//           of a pose holds, and what glTF nodes hold
//   Affine  a 3x4 matrix: what forward kinematics returns, since products of scales may shear
#pragma once

#include "ulna/math/mat3.h"
#include "ulna/math/quat.h"
#include "ulna/math/vec.h"

namespace ulna {

template <class S>
struct RigidT {
    Vec3T<S> translation;
    QuatT<S> rotation;

    friend constexpr Vec3T<S> operator*(const RigidT& a, const Vec3T<S>& point) {
        return rotate(a.rotation, point) + a.translation;
    }
    friend constexpr RigidT operator*(const RigidT& a, const RigidT& b) {
        return {a * b.translation, a.rotation * b.rotation};
    }
};

template <class S>
[[nodiscard]] constexpr RigidT<S> inverse(const RigidT<S>& a) {
    const QuatT<S> back = conjugate(a.rotation);
    return {-rotate(back, a.translation), back};
}

/// T(translation) * R(rotation) * S(scale). The rotation comes last in memory: the SIMD path of
/// forward kinematics loads four numbers from each field without leaving the struct.
template <class S>
struct TrsT {
    Vec3T<S> translation;
    Vec3T<S> scale = {S(1), S(1), S(1)};
    QuatT<S> rotation;

    friend constexpr Vec3T<S> operator*(const TrsT& a, const Vec3T<S>& point) {
        return rotate(a.rotation, scaled(a.scale, point)) + a.translation;
    }
    friend constexpr bool operator==(const TrsT&, const TrsT&) = default;
};

/// A 3x4 matrix by rows; the last row 0 0 0 1 is understood.
template <class S>
struct AffineT {
    S m[3][4] = {{S(1), S(0), S(0), S(0)}, {S(0), S(1), S(0), S(0)}, {S(0), S(0), S(1), S(0)}};

    [[nodiscard]] constexpr Vec3T<S> translation() const { return {m[0][3], m[1][3], m[2][3]}; }
    [[nodiscard]] constexpr Mat3T<S> linear() const {
        Mat3T<S> out;
        for (std::size_t i = 0; i < 3; ++i) out.rows[i] = {m[i][0], m[i][1], m[i][2]};
        return out;
    }
    /// The map of directions: the linear part alone.
    [[nodiscard]] constexpr Vec3T<S> direction(const Vec3T<S>& v) const { return linear() * v; }

    friend constexpr Vec3T<S> operator*(const AffineT& a, const Vec3T<S>& p) {
        return {a.m[0][0] * p.x + a.m[0][1] * p.y + a.m[0][2] * p.z + a.m[0][3],
                a.m[1][0] * p.x + a.m[1][1] * p.y + a.m[1][2] * p.z + a.m[1][3],
                a.m[2][0] * p.x + a.m[2][1] * p.y + a.m[2][2] * p.z + a.m[2][3]};
    }
    friend constexpr AffineT operator*(const AffineT& a, const AffineT& b) {
        AffineT out;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 4; ++k) {
                out.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k];
            }
            out.m[i][3] += a.m[i][3];
        }
        return out;
    }
};

using Rigid = RigidT<double>;
using Trs = TrsT<double>;
using Affine = AffineT<double>;

template <class S>
[[nodiscard]] constexpr AffineT<S> makeAffine(const Mat3T<S>& linear, const Vec3T<S>& translation) {
    AffineT<S> out;
    for (std::size_t i = 0; i < 3; ++i) {
        out.m[i][0] = linear.rows[i].x;
        out.m[i][1] = linear.rows[i].y;
        out.m[i][2] = linear.rows[i].z;
        out.m[i][3] = translation[i];
    }
    return out;
}
template <class S>
[[nodiscard]] constexpr AffineT<S> toAffine(const TrsT<S>& a) {
    Mat3T<S> linear = toMatrix(a.rotation);
    for (Vec3T<S>& row : linear.rows) row = scaled(row, a.scale);
    return makeAffine(linear, a.translation);
}
template <class S>
[[nodiscard]] constexpr AffineT<S> toAffine(const RigidT<S>& a) {
    return makeAffine(toMatrix(a.rotation), a.translation);
}

/// The inverse map. A singular matrix (a scale of zero) gives the zero map.
[[nodiscard]] Affine inverse(const Affine& a);

/// The rotation nearest to the linear part when it is a rotation times scales of its columns, as it
/// is for uniform scale anywhere and any scale on a leaf. Zero columns are filled in.
[[nodiscard]] Quat rotationOf(const Affine& a);

}  // namespace ulna
