// SPDX-License-Identifier: Apache-2.0

// How far a joint is from its rest posture, for PostureGoal.
#pragma once

#include <array>

#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {

/// A joint's rest values, ready for many comparisons.
struct PostureRest {
    std::array<double, 6> values = {};
    Quat rotation = {};  ///< of a ball's three values
};

/// @pre rest points at the joint's own values.
[[nodiscard]] PostureRest preparePosture(const Skeleton& skeleton, JointId joint,
                                         const double* rest);

/// The difference of a joint's values from its rest, as posture measures it, and its derivative:
/// out has dofCount(joint) values, gradient of half its squared length likewise.
/// @pre dofs, out and gradient point at the joint's own values; gradient may be null.
void evaluatePosture(const Skeleton& skeleton, JointId joint, const double* dofs,
                     const PostureRest& rest, double* out, double* gradient);

}  // namespace ulna::ik::detail
