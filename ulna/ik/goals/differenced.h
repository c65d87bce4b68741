// SPDX-License-Identifier: Apache-2.0

// A goal of your own without derivatives: residuals alone, whose wrenches are found by central
// differences. It is slower than a goal that states its wrenches (ik/goals/custom.h), by thirteen
// calls for every body instead of one, and exact to about nine digits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ulna/ik/goals/custom.h"

namespace ulna {

/// Fills the residuals of a goal from the frames of its joints, in model space and in the order of
/// the goal's joints. The same frames must always give the same residuals.
using ResidualFunction =
    std::function<void(std::span<const BodyFrame> bodies, std::span<double> residuals)>;

/// A goal from such a function.
/// @param rows one to three: how many residuals there are.
[[nodiscard]] CustomGoal makeDifferencedGoal(std::string name, std::vector<JointId> joints,
                                             std::size_t rows, ResidualFunction residuals);

}  // namespace ulna
