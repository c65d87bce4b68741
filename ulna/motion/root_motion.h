// SPDX-License-Identifier: Apache-2.0

// Root motion: the path of a clip over the ground, separated from the motion of the body.
//
// Games move the character along the path and play the body's motion in place. The ground frame of
// a pose is the first root's position projected to the ground, and its rotation about the up axis.
#pragma once

#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The ground frame of a pose, model_from_ground. If the root is upside down, its heading is not
/// determined and is taken as zero. @pre up is a unit vector; the skeleton has a joint.
[[nodiscard]] Rigid groundFrame(const Skeleton& skeleton, const Pose& pose,
                                const Vec3& up = {0, 1, 0});

/// Moves the whole pose: `new_from_old` is applied to every root.
void movePose(const Skeleton& skeleton, const Rigid& new_from_old, Pose& pose);
[[nodiscard]] Motion movedMotion(const Skeleton& skeleton, const Rigid& new_from_old,
                                 const Motion& motion);

struct RootMotion {
    Motion in_place;                       ///< the clip relative to its ground frames
    std::vector<Rigid> model_from_ground;  ///< one per frame
};

/// Splits a clip. withRootMotion is the inverse, up to rounding.
[[nodiscard]] RootMotion splitRootMotion(const Skeleton& skeleton, const Motion& motion,
                                         const Vec3& up = {0, 1, 0});
/// @pre both members of `split` have the same number of frames.
[[nodiscard]] Motion withRootMotion(const Skeleton& skeleton, const RootMotion& split);

}  // namespace ulna
