// SPDX-License-Identifier: Apache-2.0

// A goal for a distance between two points: hands on one steering wheel, knees that do not cross.
#pragma once

#include <cstdint>

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

enum class DistanceBound : std::uint8_t { Exactly, AtLeast, AtMost };

/// Residual: the distance between the points minus the target distance; zero where the bound is
/// kept. Points that coincide are driven apart along model x. One row. Error: its absolute value.
struct DistanceGoal {
    JointId joint_a = JointId::None;
    JointId joint_b = JointId::None;
    Vec3 point_a = {};  ///< in the coordinates of joint_a
    Vec3 point_b = {};  ///< in the coordinates of joint_b
    double distance = 0.0;
    DistanceBound bound = DistanceBound::Exactly;
};

}  // namespace ulna
