// SPDX-License-Identifier: Apache-2.0

// A goal for an orientation relative to another joint: a head that keeps level with the chest, a
// hand that keeps its grip on what the other hand holds.
#pragma once

#include "ulna/math/quat.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Residual: 2 sin(angle / 2) times the axis of the rotation from the target to the joint, in model
/// space. Three rows, or one in the plane. Error: the angle.
struct RelativeOrientationGoal {
    JointId joint = JointId::None;
    JointId base = JointId::None;  ///< what the target is relative to
    Quat target = {};              ///< base_from_joint, scale left out
};

}  // namespace ulna
