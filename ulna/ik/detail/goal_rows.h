// SPDX-License-Identifier: Apache-2.0

// What a goal tells a solver: its residuals, and how they change when the bodies it holds move.
//
// A body that rotates with angular velocity w and whose material point at the model's origin moves
// with velocity v changes a residual at the rate  moment . w + force . v : a goal pulls on its
// bodies as a wrench pulls on a solid. Solvers know how each degree of freedom moves each body, so
// a goal needs to know nothing of skeletons.
#pragma once

#include "ulna/ik/goals/body.h"

namespace ulna::ik::detail {

struct Wrench {
    Vec3 moment;
    Vec3 force;
};

/// The wrench of a force acting at a model point.
[[nodiscard]] inline Wrench forceAt(const Vec3& point, const Vec3& force) {
    return {cross(point, force), force};
}

inline constexpr std::size_t kMaxGoalRows = 3;

/// Residuals of one goal, unweighted, with the derivative of each for each body.
struct GoalRows {
    std::size_t count = 0;
    std::array<double, kMaxGoalRows> residual = {};
    std::array<std::array<Wrench, kMaxGoalRows>, kMaxGoalBodies> wrench = {};  // [body][row]
    double error = 0.0;  // what a tolerance is compared with, in length or radians
};

}  // namespace ulna::ik::detail
