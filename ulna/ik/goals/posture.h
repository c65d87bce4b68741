// SPDX-License-Identifier: Apache-2.0

// The wish to stay near a pose: what a body does with the freedom the other goals leave it.
//
// The second regulariser of damped least squares: (weight / 2) |theta - theta_rest|^2, where for a
// joint that turns freely the difference is the rotation vector from its rest rotation.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/skeleton/state.h"

namespace ulna {

struct PostureGoal {
    DofVector rest = {};               ///< one number per degree of freedom; empty means all zero
    std::vector<JointId> joints = {};  ///< which joints; empty means every joint that may move
};

/// A joint's rest numbers, ready for many comparisons.
struct PostureRest {
    std::array<double, 6> numbers = {};
    Quat turn = {};  ///< of a ball's three numbers
};

/// @pre rest points at the joint's own numbers.
[[nodiscard]] PostureRest preparePosture(const Skeleton& skeleton, JointId joint,
                                         const double* rest);

/// The difference of a joint's numbers from its rest, as posture measures it, and its derivative:
/// out has dofCount(joint) numbers, gradient of half its squared length likewise.
/// @pre dofs, out and gradient point at the joint's own numbers; gradient may be null.
void evaluatePosture(const Skeleton& skeleton, JointId joint, const double* dofs,
                     const PostureRest& rest, double* out, double* gradient);

}  // namespace ulna
