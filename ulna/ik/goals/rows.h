// SPDX-License-Identifier: Apache-2.0

// What a goal tells a solver: its residuals, and a wrench for each residual and body.
//
// A wrench is a derivative. When a body rotates with angular velocity w, and the point of it that
// is at the model's origin just now has velocity v, a residual changes at the rate
//
//     moment . w + force . v
//
// so a goal pulls on its bodies as a wrench (a force with a moment about the origin) pulls on a
// solid. All vectors are in model space. Solvers know how each degree of freedom moves each body;
// a goal needs to know nothing of skeletons. Three rules give most wrenches:
//
//     a residual that changes by g . dp as a point p of the body moves     forceAt(p, g)
//     a residual that changes by g . du as a direction u of the body moves {cross(u, g), {}}
//     a residual that is a sum                                             the sum of both parts
//
// To define a goal of your own see ik/goals/custom.h; to check its wrenches, ik/check_goal.h.
#pragma once

#include "ulna/ik/goals/body.h"

namespace ulna {

/// The derivative of a residual by the motion of a body, in model space.
struct Wrench {
    Vec3 moment;  ///< per radian of a rotation about an axis through the model's origin
    Vec3 force;   ///< per length of a translation
};

/// The wrench of a residual that changes by dot(force, dp) as a point of the body moves by dp.
/// @param point where the point is, in model space.
[[nodiscard]] inline Wrench forceAt(const Vec3& point, const Vec3& force) {
    return {cross(point, force), force};
}

inline constexpr std::size_t kMaxGoalRows = 3;

/// The wrenches of one body, one for each residual.
using BodyWrenches = std::array<Wrench, kMaxGoalRows>;

/// Residuals of one goal, unweighted, with the derivative of each for each body.
struct GoalRows {
    std::size_t count = 0;                                 ///< how many residuals there are
    std::array<double, kMaxGoalRows> residual = {};        ///< zero where the goal is met
    std::array<BodyWrenches, kMaxGoalBodies> wrench = {};  ///< [body][row]; not of a goal that
                                                           ///< holds the whole body
    double error = 0.0;  ///< what a tolerance is compared with: a length, or an angle in radians
};

}  // namespace ulna
