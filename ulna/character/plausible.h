// SPDX-License-Identifier: Apache-2.0

// Mistakes that are no errors: files of different units, and vertices in another order.
//
// Nothing is changed: what looks like a mistake is said, and what to do about it.
#pragma once

#include <span>
#include <string>

#include "ulna/character/fitting.h"
#include "ulna/core/diagnostic.h"
#include "ulna/ik/clip.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// Warns where a surface is five times as large as the bones of the skeleton at rest, or a fifth:
/// most often by 10, 100 or 1000, where one file counts in another unit. Nothing where either has
/// no extent.
/// @param path the file of the surface, named in the warning.
[[nodiscard]] Warnings unitWarnings(const Skeleton& skeleton, const Mesh& surface,
                                    const std::string& path);

/// The same for a target of a fit against the surface at rest; and warns where most edges of the
/// target are three times as long as at rest, measured by the sizes of both: then its vertices are
/// in another order.
/// @pre positions has one entry per vertex of `shape.fitted`.
[[nodiscard]] Warnings targetWarnings(const FitShape& shape, std::span<const Vec3> positions,
                                      const std::string& path);

/// Warns where the targets of position goals seem to be in another unit than the skeleton: times
/// 10, 100 or 1000, or divided by it, every target is nearer to where the pose has its joint, and
/// one is much nearer. Targets that are too large are five times the body's size away, and within
/// it in their own unit. Targets that are too small are a quarter of the size away, and come to
/// 0.75 of that, by ten to 0.3. Pins and goals that are switched off say nothing.
/// @param frame of the pose, for targets that move.
[[nodiscard]] Warnings goalWarnings(const Skeleton& skeleton, const Pose& pose,
                                    std::span<const IkClipGoal> goals, std::size_t frame);

}  // namespace ulna
