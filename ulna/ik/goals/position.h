// SPDX-License-Identifier: Apache-2.0

// The wish that a point fixed to a joint be at a place. The commonest goal; a pin is one whose
// target is where the point already was.
#pragma once

#include <span>

#include "ulna/ik/goals/rows.h"

namespace ulna {

struct PositionGoal {
    JointId joint = JointId::None;
    Vec3 point = {};   ///< in the joint's coordinates; the joint itself by default
    Vec3 target = {};  ///< in model space
};

[[nodiscard]] GoalBodies bodiesOf(const PositionGoal& goal);
/// Residual: point - target. In the plane two rows, else three. Error: the distance.
void evaluate(const PositionGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows);

}  // namespace ulna
