// SPDX-License-Identifier: Apache-2.0

// Rotations and translations of a track alike: the difference of two values is a vector, and a
// value is moved by a vector. Of rotations it is a rotation vector in the axes of the first one.
#pragma once

#include <cmath>
#include <numbers>

#include "ulna/math/quat.h"

namespace ulna::motion::detail {

[[nodiscard]] inline Vec3 difference(const Quat& from, const Quat& to) {
    return quatLog(conjugate(from) * to);
}
[[nodiscard]] inline Vec3 difference(const Vec3& from, const Vec3& to) {
    return to - from;
}
[[nodiscard]] inline Quat moved(const Quat& value, const Vec3& by) {
    return normalized(value * quatExp(by));
}
[[nodiscard]] inline Vec3 moved(const Vec3& value, const Vec3& by) {
    return value + by;
}

/// Difference vectors of one value to others, one after the other: of the rotation vectors of one
/// rotation the one nearest to the last difference, so that nothing jumps at half a revolution.
[[nodiscard]] inline Vec3 differenceNear(const Quat& from, const Quat& to, const Vec3& last) {
    const Vec3 v = difference(from, to);
    const double angle = length(v);
    if (angle == 0.0) return v;
    constexpr double kRevolution = 2.0 * std::numbers::pi;
    const double turns = std::round((dot(last, v) / angle - angle) / kRevolution);
    return v * (1.0 + turns * kRevolution / angle);
}
[[nodiscard]] inline Vec3 differenceNear(const Vec3& from, const Vec3& to, const Vec3&) {
    return difference(from, to);
}

}  // namespace ulna::motion::detail
