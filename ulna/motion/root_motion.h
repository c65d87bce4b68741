// SPDX-License-Identifier: Apache-2.0

// Root motion: where a clip goes over the ground, split from what the body does.
//
// Games move the character by the one and play the other in place. The ground frame of a pose lies
// below the first root: its place with the height taken off, and its turn about the up axis.
#pragma once

#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The ground frame of a pose, model_from_ground. Where the root is upside down its heading is not
/// determined and taken as zero. @pre up is a unit vector; the skeleton has a joint.
[[nodiscard]] Rigid groundFrame(const Skeleton& skeleton, const Pose& pose,
                                const Vec3& up = {0, 1, 0});

/// The pose moved as a whole: every root.
void movePose(const Skeleton& skeleton, const Rigid& new_from_old, Pose& pose);
[[nodiscard]] Motion movedMotion(const Skeleton& skeleton, const Rigid& new_from_old,
                                 const Motion& motion);

struct RootMotion {
    Motion in_place;                       ///< the clip seen from its ground frames
    std::vector<Rigid> model_from_ground;  ///< one per frame
};

/// Splits a clip; withRootMotion puts it together again, to rounding.
[[nodiscard]] RootMotion splitRootMotion(const Skeleton& skeleton, const Motion& motion,
                                         const Vec3& up = {0, 1, 0});
/// @pre as many frames of both.
[[nodiscard]] Motion withRootMotion(const Skeleton& skeleton, const RootMotion& split);

}  // namespace ulna
