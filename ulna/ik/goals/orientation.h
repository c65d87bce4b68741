// SPDX-License-Identifier: Apache-2.0

// A goal for an orientation: a joint should be oriented in a given way.
#pragma once

#include "ulna/math/quat.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Residual: 2 sin(angle / 2) times the axis of the rotation from the target to the joint, which is
/// smooth up to an angle of pi. Three rows, or one in the plane. Error: the angle.
struct OrientationGoal {
    JointId joint = JointId::None;
    Quat target = {};  ///< model orientation of the joint, scale left out
};

}  // namespace ulna
