// SPDX-License-Identifier: Apache-2.0

// The bodies that goals hold: a joint with everything that is fixed to it.
#pragma once

#include <array>
#include <cstddef>

#include "ulna/math/mat3.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Where a body is: model_from_joint without scale.
struct BodyFrame {
    Mat3 orientation;
    Vec3 position;
    double scale = 1.0;  ///< uniform; points fixed to the joint are multiplied by it
};

/// The model position of a point fixed to a body.
[[nodiscard]] inline Vec3 pointOn(const BodyFrame& body, const Vec3& joint_point) {
    return body.position + body.orientation * (joint_point * body.scale);
}

inline constexpr std::size_t kMaxGoalBodies = 3;

/// The joints that a goal holds.
struct GoalBodies {
    std::size_t count = 0;
    std::array<JointId, kMaxGoalBodies> joint = {JointId::None, JointId::None, JointId::None};
};

}  // namespace ulna
