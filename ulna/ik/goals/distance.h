// SPDX-License-Identifier: Apache-2.0

// The wish that two points keep a distance: hands on one steering wheel, knees not crossing.
#pragma once

#include <cstdint>
#include <span>

#include "ulna/ik/goals/rows.h"

namespace ulna {

enum class DistanceBound : std::uint8_t { Exactly, AtLeast, AtMost };

struct DistanceGoal {
    JointId joint_a = JointId::None;
    JointId joint_b = JointId::None;
    Vec3 point_a = {};  ///< in the coordinates of joint_a
    Vec3 point_b = {};  ///< in the coordinates of joint_b
    double distance = 0.0;
    DistanceBound bound = DistanceBound::Exactly;
};

[[nodiscard]] GoalBodies bodiesOf(const DistanceGoal& goal);
/// Residual: the distance between the points minus the wished one; zero where the bound is kept.
/// Points that coincide are driven apart along model x. One row. Error: its size.
void evaluate(const DistanceGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows);

}  // namespace ulna
