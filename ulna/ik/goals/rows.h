// SPDX-License-Identifier: Apache-2.0

// What a goal tells a solver: its residuals, and how they change when the bodies it holds move.
//
// A body that turns with angular velocity w and whose material point at the model's origin moves
// with velocity v changes a residual at the rate  moment . w + force . v : a goal pulls on its
// bodies as a wrench pulls on a solid. Solvers know how each degree of freedom moves each body, so
// a goal needs to know nothing of skeletons.
#pragma once

#include <array>
#include <cstddef>

#include "ulna/math/mat3.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Where a body (a joint and what is fixed to it) is: model_from_joint without scale.
struct BodyFrame {
    Mat3 orientation;
    Vec3 position;
    double scale = 1.0;  ///< uniform; points fixed to the joint are multiplied by it
};

/// The model position of a point fixed to a body.
[[nodiscard]] inline Vec3 pointOn(const BodyFrame& body, const Vec3& joint_point) {
    return body.position + body.orientation * (joint_point * body.scale);
}

struct Wrench {
    Vec3 moment;
    Vec3 force;
};

/// The wrench of a force acting at a model point.
[[nodiscard]] inline Wrench forceAt(const Vec3& point, const Vec3& force) {
    return {cross(point, force), force};
}

inline constexpr std::size_t kMaxGoalRows = 3;
inline constexpr std::size_t kMaxGoalBodies = 3;

/// Residuals of one goal, unweighted, with the derivative of each for each body.
struct GoalRows {
    std::size_t count = 0;
    std::array<double, kMaxGoalRows> residual = {};
    std::array<std::array<Wrench, kMaxGoalRows>, kMaxGoalBodies> wrench = {};  ///< [body][row]
    double error = 0.0;  ///< what a tolerance is compared with, in length or radians
};

/// The joints a goal holds, in the order of GoalRows::wrench.
struct GoalBodies {
    std::size_t count = 0;
    std::array<JointId, kMaxGoalBodies> joint = {JointId::None, JointId::None, JointId::None};
};

}  // namespace ulna
