// SPDX-License-Identifier: Apache-2.0

// A goal of your own: a function from the frames of up to three joints to up to three residuals
// with their wrenches (ik/goals/rows.h).
//
// Solvers treat it like any other goal: every method that takes general goals, levels, clips and
// batches. docs/ik/own-goals.md has a whole example. Check the wrenches with ik/check_goal.h: a
// wrong derivative does not fail, it only converges badly.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ulna/ik/goals/rows.h"
#include "ulna/math/quat.h"

namespace ulna {

/// Fills residuals and wrenches from the frames of the goal's joints, in model space and in the
/// order of CustomGoal::joints.
///
/// `rows` comes with all values zero and the goal's number of rows. `rows.error` may be left: it is
/// then the length of the residual. `planar` says that the skeleton lies in the plane z = 0.
///
/// The same frames must always give the same rows, at any time and from several threads at once. A
/// function that allocates nothing keeps the promise of solvers to allocate nothing. A residual
/// that is not finite is as far from its goal as can be: a step that leads there is not taken.
using CustomGoalFunction =
    std::function<void(std::span<const BodyFrame> bodies, bool planar, GoalRows& rows)>;

struct CustomGoal {
    std::string name = {};             ///< for messages
    std::vector<JointId> joints = {};  ///< one to three, all different
    std::size_t rows = 1;              ///< one to three: how many residuals there are
    bool error_is_angle = false;       ///< the residuals and the error are angles, not lengths
    std::shared_ptr<const CustomGoalFunction> evaluate = {};

    /// How the frames that solvers compute lead to those that `evaluate` gets. Leave it as it is.
    struct Seen {
        Vec3 origin = {};  ///< where the solver's coordinates begin, in model space
        std::array<Quat, kMaxGoalBodies> body_from_joint = {};
    };
    Seen seen = {};
};

/// A goal from a function; see CustomGoal for its members.
[[nodiscard]] inline CustomGoal makeCustomGoal(std::string name, std::vector<JointId> joints,
                                               std::size_t rows, CustomGoalFunction evaluate) {
    return {.name = std::move(name),
            .joints = std::move(joints),
            .rows = rows,
            .evaluate = std::make_shared<const CustomGoalFunction>(std::move(evaluate))};
}

}  // namespace ulna
