// SPDX-License-Identifier: Apache-2.0

// The wish that a joint be oriented in a given way.
#pragma once

#include <span>

#include "ulna/ik/goals/rows.h"
#include "ulna/math/quat.h"

namespace ulna {

struct OrientationGoal {
    JointId joint = JointId::None;
    Quat target = {};  ///< model orientation of the joint, scale left out
};

[[nodiscard]] GoalBodies bodiesOf(const OrientationGoal& goal);
/// Residual: 2 sin(angle / 2) times the axis of the rotation from the target to the joint: smooth
/// up to half a turn. In the plane one row, else three. Error: the angle.
void evaluate(const OrientationGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows);

}  // namespace ulna
