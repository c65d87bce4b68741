// SPDX-License-Identifier: Apache-2.0

// A goal for a position: a point fixed to a joint should be at a target. The most common goal; a
// pin is one whose target is where the point already was.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Residual: point - target, three rows, or two in the plane. Error: the distance.
struct PositionGoal {
    JointId joint = JointId::None;
    Vec3 point = {};   ///< in the joint's coordinates; the joint itself by default
    Vec3 target = {};  ///< in model space
};

}  // namespace ulna
