// SPDX-License-Identifier: Apache-2.0

// Poses as the tool's JSON has them: model positions and orientations by joint.
#pragma once

#include <vector>

#include "apps/cli/json.h"
#include "ulna/skeleton/pose.h"

namespace ulna::cli {

/// Orientations in model space, with w at least 0 so that equal rotations print equally.
[[nodiscard]] std::vector<Quat> printedOrientations(const Skeleton& skeleton, const Pose& pose);

/// The members `"positions":[[x,y,z],...],"rotations":[[x,y,z,w],...]` of the object that is open.
void writePose(const Skeleton& skeleton, const Pose& pose, JsonWriter& json);

}  // namespace ulna::cli
