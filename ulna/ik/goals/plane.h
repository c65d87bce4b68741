// SPDX-License-Identifier: Apache-2.0

// A goal for a plane: a point should be on it, or not below it, as feet and a floor.
#pragma once

#include <cstdint>

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

enum class PlaneSide : std::uint8_t {
    Above,  ///< on the plane or on the side of its normal
    On,     ///< exactly on the plane
};

/// Residual: the signed distance from the plane; zero above it where that is allowed. One row.
/// Error: its absolute value.
struct PlaneGoal {
    JointId joint = JointId::None;
    Vec3 point = {};          ///< in the joint's coordinates
    Vec3 normal = {0, 1, 0};  ///< a unit vector in model space
    double offset = 0.0;      ///< the plane is where normal . x == offset
    PlaneSide side = PlaneSide::Above;
};

}  // namespace ulna
