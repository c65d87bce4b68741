// SPDX-License-Identifier: Apache-2.0

// A goal for the whole pose: to stay near a rest posture with the freedom that other goals leave.
//
// The second regulariser of damped least squares: (weight / 2) |theta - theta_rest|^2, where for a
// ball joint the difference is the rotation vector from its rest rotation.
#pragma once

#include <vector>

#include "ulna/skeleton/state.h"

namespace ulna {

struct PostureGoal {
    DofVector rest = {};               ///< one value per degree of freedom; empty means all zero
    std::vector<JointId> joints = {};  ///< which joints; empty means every joint that may move
};

}  // namespace ulna
