// SPDX-License-Identifier: Apache-2.0

// Poses as the tool's JSON has them: model positions and orientations by joint.
#pragma once

#include <string>

#include "ulna/skeleton/pose.h"

namespace ulna::cli {

/// Orientations in model space, with w at least 0 so that equal rotations print equally.
[[nodiscard]] std::vector<Quat> printedOrientations(const Skeleton& skeleton, const Pose& pose);

/// Appends `"positions":[[x,y,z],...],"rotations":[[x,y,z,w],...]`.
void appendPoseJson(const Skeleton& skeleton, const Pose& pose, std::string& out);

/// `["Hips","Spine",...]`
[[nodiscard]] std::string jointNamesJson(const Skeleton& skeleton);

}  // namespace ulna::cli
