// SPDX-License-Identifier: Apache-2.0

// Rest poses of captured clips: some files have a rest pose in which nobody stands, and a T-pose in
// the first frame of the clip instead. Retargeting (retarget/retarget.h) is told which of them.
#pragma once

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// Whether a pose, such as the first one of a clip, is a rest pose to retarget from, where the
/// skeleton's own is none: thighs and shins point down, arms are straight and beside the body.
///
/// False where no human body with legs is recognised.
/// @param map roles that overrule names and shape; may be null.
/// @pre pose has one transform per joint of skeleton; for the map see findBodyRoles.
[[nodiscard]] bool replacesRest(const Skeleton& skeleton, const Pose& pose,
                                const BodyMap* map = nullptr);

}  // namespace ulna
