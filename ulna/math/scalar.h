// SPDX-License-Identifier: Apache-2.0

// Angles and a few functions on scalars that the rest of the mathematics shares.
//
// The types of ulna/math are plain templates over the scalar: double, float, or Dual (math/dual.h).
#pragma once

#include <cmath>

namespace ulna {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2.0 * kPi;

[[nodiscard]] constexpr double radians(double angle_degrees) {
    return angle_degrees * (kPi / 180.0);
}
[[nodiscard]] constexpr double degrees(double angle) {
    return angle * (180.0 / kPi);
}

/// The angle in [-pi, pi] that differs from `angle` by whole revolutions.
[[nodiscard]] inline double wrapAngle(double angle) {
    return std::remainder(angle, kTwoPi);
}

/// The angle nearest to `near` that differs from `angle` by whole revolutions.
[[nodiscard]] inline double unwrapAngle(double angle, double near) {
    return near + wrapAngle(angle - near);
}

template <class S>
[[nodiscard]] constexpr S square(const S& x) {
    return x * x;
}

}  // namespace ulna
