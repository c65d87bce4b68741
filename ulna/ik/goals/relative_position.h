// SPDX-License-Identifier: Apache-2.0

// A goal for a position relative to another joint: a hand on the hip, a prop held in both hands.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// The target moves with its base, and both sides of the skeleton give way. Residual: point -
/// target in model space, three rows, or two in the plane. Error: the distance.
struct RelativePositionGoal {
    JointId joint = JointId::None;
    JointId base = JointId::None;  ///< what the target is fixed to
    Vec3 point = {};               ///< in the joint's coordinates; the joint itself by default
    Vec3 target = {};              ///< in the coordinates of `base`
};

}  // namespace ulna
