// SPDX-License-Identifier: Apache-2.0

// SolePath: where a clip's own feet are in every frame, in the axes of the ground.
//
// FootTrack has the points that contacts are found from; this has what a foot plan begins with, and
// judges how soles slide.
#pragma once

#include <array>
#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/retarget/detail/foot_plan.h"
#include "ulna/retarget/detail/foot_track.h"
#include "ulna/retarget/soles.h"

namespace ulna::retarget::detail {

/// The ankle of a foot and the rotations D of the foot and its toes, frame by frame; left, right.
using SolePath = std::array<std::vector<FootGoal>, 2>;

/// @pre body has both legs
[[nodiscard]] SolePath readSolePath(const Skeleton& skeleton, const BodySegments& body,
                                    const Motion& motion);

/// The heels and balls of it.
[[nodiscard]] FootTracks tracksOf(const BodySegments& body, const SolePath& path);

/// How far the lowest point of the soles is below the ground in each frame, at least 0.
[[nodiscard]] std::vector<double> depthsOf(const BodySegments& body, const SolePath& path,
                                           double floor);

[[nodiscard]] SoleMeasure measureSoles(const BodySegments& body, const SolePath& path,
                                       const Contacts& contacts, double frame_time);

/// The points that stand, in the coordinates of their joints.
[[nodiscard]] std::array<SolePoints, 2> solePointsOf(const BodySegments& body);

}  // namespace ulna::retarget::detail
