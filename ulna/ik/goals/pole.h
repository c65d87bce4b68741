// SPDX-License-Identifier: Apache-2.0

// The wish that a limb bend towards a point: knees forward, elbows back.
#pragma once

#include <span>

#include "ulna/ik/goals/rows.h"

namespace ulna {

struct PoleGoal {
    JointId start = JointId::None;  ///< shoulder or hip
    JointId mid = JointId::None;    ///< elbow or knee
    JointId end = JointId::None;    ///< wrist or ankle
    Vec3 pole = {};                 ///< in model space
};

[[nodiscard]] GoalBodies bodiesOf(const PoleGoal& goal);
/// Residual: the angle about the line from start to end between the bend and the pole, times how
/// far `mid` is off that line. It fades as the limb straightens and as the pole comes within a
/// tenth of the line's length of it, so nothing flips there; a pole on the line, or a limb of no
/// length, wishes nothing. One row, none in the plane (a bend there has no plane to choose). Error:
/// the residual's size, a length.
void evaluate(const PoleGoal& goal, std::span<const BodyFrame> bodies, bool planar, GoalRows& rows);

}  // namespace ulna
