// SPDX-License-Identifier: Apache-2.0

// Cleaning a clip of a character: what retarget/clean.h needs, taken from the file.
#pragma once

#include "ulna/character/character.h"
#include "ulna/retarget/clean.h"

namespace ulna {

/// cleanClip of retarget/clean.h; the soles come from the mesh, where there is one.
/// @param rest flat feet, straight legs; null: the rest pose
/// @pre the motion is of the character's skeleton.
[[nodiscard]] Result<CleanResult> cleanClip(const Character& character, const Motion& motion,
                                            const CleanOptions& options = {},
                                            const Pose* rest = nullptr,
                                            const Progress& progress = {});

/// Smoothing of a width that moves joints no farther than noise does: it rotates them by at most 10
/// degrees, and moves them by at most a fiftieth of the body's size.
/// @param width in seconds. @pre width > 0
[[nodiscard]] SmoothOptions usualSmoothing(const Skeleton& skeleton, double width);

/// What is worth knowing of a cleaned clip: jumps, which are not repaired, spikes that nobody asked
/// to repair, and locked feet that still slide or are below the ground.
[[nodiscard]] Warnings cleanWarnings(const Skeleton& skeleton, const CleanOptions& options,
                                     const CleanReport& report);

}  // namespace ulna
