// SPDX-License-Identifier: Apache-2.0

// Handles: the degrees of freedom and the limits of a joint as they lie in the model, to be drawn
// and taken hold of.
#pragma once

#include <optional>
#include <vector>

#include "ulna/character/stage.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// One degree of freedom: rotate `zero` about `axis` by `value` to be where the joint is now; or a
/// slide by `value` along `axis`.
struct ArcHandle {
    std::size_t dof = 0;    ///< of the stage's skeleton
    bool is_angle = false;  ///< otherwise a slide
    Vec3 axis = {};         ///< unit vector
    Vec3 zero = {};         ///< unit vector perpendicular to the axis
    double value = 0.0;
    DofLimit limit = {};
};

/// A cone limit.
struct ConeHandle {
    Vec3 axis = {};      ///< of the cone, a unit vector: where the twist axis points at rest
    Vec3 pointer = {};   ///< where it points now
    double swing = 0.0;  ///< the angle between them
    Vec3 zero = {};      ///< unit vector perpendicular to the pointer: where the twist is 0
    double twist = 0.0;
    ConeLimit limit = {};
};

struct JointHandles {
    Vec3 origin = {};                  ///< where the joint is
    std::vector<ArcHandle> arcs = {};  ///< one per degree of freedom of the joint
    std::optional<ConeHandle> cone = {};
};

/// The handles of a joint, in model space.
/// @param pose of the file's skeleton, with one transform per joint.
[[nodiscard]] JointHandles makeHandles(const Stage& stage, const Pose& pose, JointId joint);

}  // namespace ulna
