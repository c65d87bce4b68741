// SPDX-License-Identifier: Apache-2.0

// Mirrored poses and clips. Which joint is the counterpart of which is found by
// skeleton/mirror_pairs.h.
#pragma once

#include "ulna/motion/motion.h"
#include "ulna/skeleton/mirror_pairs.h"

namespace ulna {

/// The pose reflected in the mirror plane through the model's origin, with left and right
/// exchanged. Joint axes may be arbitrary: rotations are transferred as differences from the rest
/// pose in model space, so that joint positions are mirror images if the rest pose is symmetric.
[[nodiscard]] Pose mirrored(const Skeleton& skeleton, const MirrorPairs& pairs, const Pose& pose);
[[nodiscard]] Motion mirrored(const Skeleton& skeleton, const MirrorPairs& pairs,
                              const Motion& motion);

/// The pose with the other arm, or leg, doing what the one of a joint does, as in a mirror: all
/// joints of bodyPartOf(joint). The rest stays, and all of it for a joint of the middle.
[[nodiscard]] Pose withPartMirrored(const Skeleton& skeleton, const MirrorPairs& pairs,
                                    const Pose& pose, JointId joint);

}  // namespace ulna
