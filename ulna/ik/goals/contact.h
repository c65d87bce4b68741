// SPDX-License-Identifier: Apache-2.0

// Where a character touches the ground: what a balance stands on, and what goals say of it.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// A point fixed to a joint, which rests on the ground.
struct ContactPoint {
    JointId joint = JointId::None;
    Vec3 point = {};  ///< in the joint's coordinates
};

}  // namespace ulna
