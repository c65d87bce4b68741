// SPDX-License-Identifier: Apache-2.0

// The wish that a point be on a plane, or not below it: feet and a floor.
#pragma once

#include <cstdint>
#include <span>

#include "ulna/ik/goals/rows.h"

namespace ulna {

enum class PlaneSide : std::uint8_t {
    On,     ///< exactly on the plane
    Above,  ///< on it or on the side of its normal
};

struct PlaneGoal {
    JointId joint = JointId::None;
    Vec3 point = {};          ///< in the joint's coordinates
    Vec3 normal = {0, 1, 0};  ///< unit, in model space
    double offset = 0.0;      ///< the plane is where normal . x == offset
    PlaneSide side = PlaneSide::Above;
};

[[nodiscard]] GoalBodies bodiesOf(const PlaneGoal& goal);
/// Residual: the signed distance from the plane; zero above it where that is allowed. One row.
/// Error: its size.
void evaluate(const PlaneGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows);

}  // namespace ulna
