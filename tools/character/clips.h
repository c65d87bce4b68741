// SPDX-License-Identifier: Apache-2.0

// The clips of the bundled character. A loop's last frame is its first, a stride on.
#pragma once

#include "ulna/motion/dof_clip.h"

namespace ulna::maker {

DofClip makeWalk(const Skeleton& skeleton);  ///< a loop
DofClip makeRun(const Skeleton& skeleton);   ///< a loop, with both feet in the air twice
DofClip makeIdle(const Skeleton& skeleton);  ///< a loop on the spot: breathing, shifting weight
DofClip makeWave(const Skeleton& skeleton);  ///< begins and ends as the idle begins

}  // namespace ulna::maker
