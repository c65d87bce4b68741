// SPDX-License-Identifier: Apache-2.0

// Turning one link as well as it can be turned: the step that CCD and FABRIK share.
#pragma once

#include <cmath>
#include <span>

#include "ulna/math/dense.h"
#include "ulna/solve/mechanism.h"

namespace ulna::ik::detail {

/// A point that moves with a link and where it should be, both in model space relative to the
/// link's origin.
struct Pull {
    Vec3 from;
    Vec3 to;
    double weight = 1.0;
};

/// The smallest rotation that takes the direction of one vector to that of another, neither unit.
inline Quat rotationBetween(const Vec3& from, const Vec3& to) {
    const double size = std::sqrt(dot(from, from) * dot(to, to));
    const double w = size + dot(from, to);
    const Vec3 v = cross(from, to);
    const double norm2 = w * w + dot(v, v);
    // Opposite directions, or a vector too short to have one.
    if (!(norm2 > 1e-24 * size * size)) {
        if (!(size > 0.0)) return {};
        const Vec3 axis = anyPerpendicular(from / length(from));
        return {axis.x, axis.y, axis.z, 0.0};
    }
    const double factor = 1.0 / std::sqrt(norm2);
    return {v.x * factor, v.y * factor, v.z * factor, w * factor};
}

/// A quaternion that rounding has moved off unit length, put back to first order.
inline Quat nearlyNormalized(const Quat& q) {
    const double factor = 1.5 - 0.5 * dot(q, q);
    return {q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

class Aim {
  public:
    Aim() { eigen_.reserve(4); }
    /// Turns link `i`, whose frame is `frame`, to the exact minimiser of the pulls' squared
    /// distances over its own coordinates, within its bounds and by at most `most` radians (0:
    /// any). Writes the coordinates and returns the turn in model space.
    Quat turn(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame,
              std::span<const Pull> pulls, double most, MechanismState& at);

    /// Turns a ball about the unit model axis alone, as far as its bounds allow.
    void twist(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame, const Vec3& axis,
               const Pull& pull, MechanismState& at);

    /// The same for a link that slides; returns the shift in model space.
    Vec3 slide(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame,
               std::span<const Pull> pulls, MechanismState& at);

  private:
    Quat bestRotation(std::span<const Pull> pulls);
    SymmetricEigen eigen_;
};

}  // namespace ulna::ik::detail
