// SPDX-License-Identifier: Apache-2.0

// Mirrored poses and clips. Which joint is the counterpart of which is found by
// skeleton/mirror_pairs.h.
#pragma once

#include "ulna/motion/motion.h"
#include "ulna/skeleton/mirror_pairs.h"

namespace ulna {

/// The pose in a mirror through the model's origin, each side doing what the other did. Joints'
/// axes may be anything: rotations go over as differences from rest in model space, so that joint
/// positions are mirror images wherever the rest pose is symmetric.
[[nodiscard]] Pose mirrored(const Skeleton& skeleton, const MirrorPairs& pairs, const Pose& pose);
[[nodiscard]] Motion mirrored(const Skeleton& skeleton, const MirrorPairs& pairs,
                              const Motion& motion);

}  // namespace ulna
