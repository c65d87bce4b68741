// SPDX-License-Identifier: Apache-2.0

// The wish that a direction fixed to a joint point at a place: a head that looks, a gun that aims.
#pragma once

#include <span>

#include "ulna/ik/goals/rows.h"

namespace ulna {

struct AimGoal {
    JointId joint = JointId::None;
    Vec3 axis = {0, 0, 1};  ///< unit, in the joint's coordinates: what should point at the target
    Vec3 eye = {};          ///< where the axis starts, in the joint's coordinates
    Vec3 target = {};       ///< in model space
};

[[nodiscard]] GoalBodies bodiesOf(const AimGoal& goal);
/// Residual: the axis minus the unit vector towards the target, 2 sin(angle / 2) long. A target at
/// the eye itself has no direction and is met by any pose. Error: the angle.
void evaluate(const AimGoal& goal, std::span<const BodyFrame> bodies, bool planar, GoalRows& rows);

}  // namespace ulna
