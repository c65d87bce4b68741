// SPDX-License-Identifier: Apache-2.0

// Euler angles: all twelve intrinsic orders, both ways.
//
// Order Zxy means R = Rz(a[0]) * Rx(a[1]) * Ry(a[2]): axes listed left to right, as BVH channels
// are. Angles back from a rotation are never unique: where a previous triple is known, ask for the
// one nearest to it and a clip stays free of jumps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ulna/math/quat.h"

namespace ulna {

/// The first six have three different axes (Tait-Bryan), the others the first axis again (proper
/// Euler).
enum class EulerOrder : std::uint8_t { Xyz, Xzy, Yxz, Yzx, Zxy, Zyx, Xyx, Xzx, Yxy, Yzy, Zxz, Zyz };

inline constexpr std::array<EulerOrder, 12> kAllEulerOrders = {
    EulerOrder::Xyz, EulerOrder::Xzy, EulerOrder::Yxz, EulerOrder::Yzx,
    EulerOrder::Zxy, EulerOrder::Zyx, EulerOrder::Xyx, EulerOrder::Xzx,
    EulerOrder::Yxy, EulerOrder::Yzy, EulerOrder::Zxz, EulerOrder::Zyz};

/// The three axes of an order, 0 for x, 1 for y, 2 for z.
[[nodiscard]] std::array<int, 3> eulerAxes(EulerOrder order);

/// "xyz", "zxz", ...
[[nodiscard]] std::string_view eulerOrderName(EulerOrder order);

/// The order of that name, in any case of letters; nothing when there is none.
[[nodiscard]] std::optional<EulerOrder> eulerOrderFromName(std::string_view name);

/// The order with these axes; nothing when two neighbours are equal.
[[nodiscard]] std::optional<EulerOrder> eulerOrderFromAxes(const std::array<int, 3>& axes);

/// The unit vector of axis 0, 1 or 2.
template <class S>
[[nodiscard]] constexpr Vec3T<S> unitAxis(int axis) {
    return {S(axis == 0 ? 1 : 0), S(axis == 1 ? 1 : 0), S(axis == 2 ? 1 : 0)};
}

/// The rotation by `angle` about axis 0, 1 or 2.
template <class S>
[[nodiscard]] QuatT<S> quatAboutAxis(int axis, const S& angle) {
    return quatFromAxisAngle(unitAxis<S>(axis), angle);
}

/// The rotation with these angles (radians, in the order's sequence).
template <class S>
[[nodiscard]] QuatT<S> quatFromEuler(EulerOrder order, const Vec3T<S>& angles) {
    const std::array<int, 3> axes = eulerAxes(order);
    return quatAboutAxis(axes[0], angles.x) * quatAboutAxis(axes[1], angles.y) *
           quatAboutAxis(axes[2], angles.z);
}

/// Angles of a rotation: the middle one in [-pi/2, pi/2] (three different axes) or [0, pi], the
/// others in [-pi, pi]. In gimbal lock, where only a sum or difference is determined, the last is
/// 0.
[[nodiscard]] Vec3 eulerFromQuat(EulerOrder order, const Quat& q);

/// The angles of a rotation nearest to `near`: of both branches, with whole revolutions added, and
/// in gimbal lock of the whole family of answers.
[[nodiscard]] Vec3 eulerFromQuat(EulerOrder order, const Quat& q, const Vec3& near);

}  // namespace ulna
