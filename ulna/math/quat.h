// SPDX-License-Identifier: Apache-2.0

// Rotations as unit quaternions: products, exponential and logarithm, slerp, swing and twist.
//
// A quaternion acts on column vectors like the matrix it stands for: (a * b) rotates by b first.
// Components are x, y, z, w in memory, in files and in JSON. q and -q are the same rotation.
// For Euler angles see math/euler.h.
#pragma once

#include "ulna/math/mat3.h"
#include "ulna/math/scalar.h"
#include "ulna/math/vec.h"

namespace ulna {

template <class S>
struct QuatT {
    S x{}, y{}, z{}, w = S(1);

    [[nodiscard]] constexpr Vec3T<S> vector() const { return {x, y, z}; }

    friend constexpr QuatT operator*(const QuatT& a, const QuatT& b) {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
    friend constexpr QuatT operator-(const QuatT& a) { return {-a.x, -a.y, -a.z, -a.w}; }
    friend constexpr bool operator==(const QuatT&, const QuatT&) = default;
};

using Quat = QuatT<double>;
using Quatf = QuatT<float>;

template <class S>
[[nodiscard]] constexpr S dot(const QuatT<S>& a, const QuatT<S>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
/// The inverse rotation.
template <class S>
[[nodiscard]] constexpr QuatT<S> conjugate(const QuatT<S>& q) {
    return {-q.x, -q.y, -q.z, q.w};
}
/// The unit quaternion along `q`; a quaternion of length zero becomes the identity.
template <class S>
[[nodiscard]] QuatT<S> normalized(const QuatT<S>& q) {
    using std::sqrt;
    const S len = sqrt(dot(q, q));
    if (!(len > S(0))) return {};
    return {q.x / len, q.y / len, q.z / len, q.w / len};
}
/// `v` rotated by the unit quaternion `q`.
template <class S>
[[nodiscard]] constexpr Vec3T<S> rotate(const QuatT<S>& q, const Vec3T<S>& v) {
    const Vec3T<S> t = cross(q.vector(), v) * S(2);
    return v + t * q.w + cross(q.vector(), t);
}
template <class S>
[[nodiscard]] constexpr Mat3T<S> toMatrix(const QuatT<S>& q) {
    const S x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const S xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const S xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const S wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    Mat3T<S> m;
    m.rows[0] = {S(1) - (yy + zz), xy - wz, xz + wy};
    m.rows[1] = {xy + wz, S(1) - (xx + zz), yz - wx};
    m.rows[2] = {xz - wy, yz + wx, S(1) - (xx + yy)};
    return m;
}
/// The rotation by `angle` about the unit vector `axis`.
template <class S>
[[nodiscard]] QuatT<S> quatFromAxisAngle(const Vec3T<S>& axis, const S& angle) {
    using std::cos;
    using std::sin;
    const S half = angle * S(0.5);
    const S s = sin(half);
    return {axis.x * s, axis.y * s, axis.z * s, cos(half)};
}
/// The rotation whose axis is the direction of `v` and whose angle is its length.
template <class S>
[[nodiscard]] QuatT<S> quatExp(const Vec3T<S>& v) {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const S angle2 = dot(v, v);
    // sin(a/2)/a by its series where the quotient would lose the derivative at 0; the first term
    // left out is a^6/645120, below 1e-20 of the result.
    if (angle2 < S(1e-6)) {
        const S factor = S(0.5) - angle2 * (S(1.0 / 48.0) - angle2 * S(1.0 / 3840.0));
        const S w = S(1) - angle2 * (S(1.0 / 8.0) - angle2 * S(1.0 / 384.0));
        return {v.x * factor, v.y * factor, v.z * factor, w};
    }
    const S angle = sqrt(angle2);
    const S factor = sin(angle * S(0.5)) / angle;
    return {v.x * factor, v.y * factor, v.z * factor, cos(angle * S(0.5))};
}

/// The rotation vector of `q`, of length at most pi: the inverse of quatExp on the shorter arc.
[[nodiscard]] Vec3 quatLog(const Quat& q);

/// The angle of `q`, in [0, pi].
[[nodiscard]] double rotationAngle(const Quat& q);

/// The angle of the rotation that takes `a` to `b`, in [0, pi].
[[nodiscard]] double angleBetween(const Quat& a, const Quat& b);

/// The unit quaternion of a rotation matrix.
[[nodiscard]] Quat quatFromMatrix(const Mat3& m);

/// The smallest rotation that takes the direction `from` to the direction `to` (unit vectors).
/// Opposite directions rotate about anyPerpendicular(from).
[[nodiscard]] Quat quatBetween(const Vec3& from, const Vec3& to);

/// Interpolation at constant speed along the shorter arc; exact at t = 0 and t = 1.
[[nodiscard]] Quat slerp(const Quat& a, const Quat& b, double t);

/// The angular velocity of quatExp(v), in its own rotating frame, when `v` changes at `rate`.
[[nodiscard]] Vec3 angularVelocity(const Vec3& v, const Vec3& rate);

/// The inverse: the rate of `v` at which quatExp(v) rotates with an angular velocity.
/// @pre length(v) < 2 pi
[[nodiscard]] Vec3 logRate(const Vec3& v, const Vec3& angular_velocity);

/// A rotation split as `swing * twist`, the twist about a given axis, the swing about one
/// perpendicular to it.
struct SwingTwist {
    Quat swing;
    Quat twist;
    double twist_angle = 0.0;  ///< in [-pi, pi]
};

/// Splits `q` about the unit vector `axis`. Where the swing is half a revolution the twist is not
/// determined and taken as zero.
[[nodiscard]] SwingTwist splitSwingTwist(const Quat& q, const Vec3& axis);

}  // namespace ulna
