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
    Vec3T<S> translation = {};
    QuatT<S> rotation = {};

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
/// forward kinematics loads four values from each field without leaving the struct.
template <class S>
struct TrsT {
    Vec3T<S> translation = {};
    Vec3T<S> scale = {S(1), S(1), S(1)};
    QuatT<S> rotation = {};

    friend constexpr Vec3T<S> operator*(const TrsT& a, const Vec3T<S>& point) {
        return rotate(a.rotation, scaled(a.scale, point)) + a.translation;
    }
    friend constexpr bool operator==(const TrsT&, const TrsT&) = default;
};

/// A 3x4 matrix by columns: the images of x, y and z, then the translation. Each column carries its
/// entry of the understood last row 0 0 0 1, so that a column is one vector load and the whole is
/// the 4x4 matrix that graphics interfaces take.
template <class S>
struct AffineT {
    S columns[4][4] = {{S(1), S(0), S(0), S(0)},
                       {S(0), S(1), S(0), S(0)},
                       {S(0), S(0), S(1), S(0)},
                       {S(0), S(0), S(0), S(1)}};

    [[nodiscard]] constexpr Vec3T<S> column(std::size_t i) const {
        return {columns[i][0], columns[i][1], columns[i][2]};
    }
    [[nodiscard]] constexpr Vec3T<S> translation() const { return column(3); }
    [[nodiscard]] constexpr Mat3T<S> linear() const {
        return Mat3T<S>::fromColumns(column(0), column(1), column(2));
    }
    /// The map of directions: the linear part alone.
    [[nodiscard]] constexpr Vec3T<S> direction(const Vec3T<S>& v) const {
        return column(0) * v.x + column(1) * v.y + column(2) * v.z;
    }

    friend constexpr Vec3T<S> operator*(const AffineT& a, const Vec3T<S>& p) {
        return a.direction(p) + a.translation();
    }
    friend constexpr AffineT operator*(const AffineT& a, const AffineT& b) {
        AffineT out;
        for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t i = 0; i < 3; ++i) {
                out.columns[k][i] = a.columns[0][i] * b.columns[k][0] +
                                    a.columns[1][i] * b.columns[k][1] +
                                    a.columns[2][i] * b.columns[k][2];
            }
        }
        for (std::size_t i = 0; i < 3; ++i) out.columns[3][i] += a.columns[3][i];
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
        for (std::size_t k = 0; k < 3; ++k) out.columns[k][i] = linear.rows[i][k];
        out.columns[3][i] = translation[i];
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
