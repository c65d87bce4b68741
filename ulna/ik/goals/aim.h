// SPDX-License-Identifier: Apache-2.0

// A goal for a direction: an axis fixed to a joint should point at a target, as a head that looks
// or a gun that aims.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Residual: the axis minus the unit vector towards the target; its length is 2 sin(angle / 2). A
/// target at the eye itself has no direction and is met by any pose. Error: the angle.
struct AimGoal {
    JointId joint = JointId::None;
    Vec3 axis = {0, 0, 1};  ///< what points at the target: unit vector in the joint's coordinates
    Vec3 eye = {};          ///< where the axis starts, in the joint's coordinates
    Vec3 target = {};       ///< in model space
};

}  // namespace ulna
