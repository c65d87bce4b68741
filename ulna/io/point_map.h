// SPDX-License-Identifier: Apache-2.0

// Map files of points (*.points.json): which part of a body each point of a clip is.
//
// Markers sit on the skin: an entry may be the middle of several. The format is described in
// docs/retarget/points.md and docs/points.schema.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/retarget/point_clip.h"
#include "ulna/retarget/point_layout.h"

namespace ulna::io {

struct PointMapEntry {
    std::string name = {};
    PointRole role = {};
    std::vector<std::string> of = {};  ///< points of the clip; the entry is their middle
    Location location = {};
};

struct PointMap {
    PointLayout layout = {};  ///< with the entries' names and roles
    std::vector<PointMapEntry> entries = {};
};

/// Errors carry the JSON path; unknown keys are errors.
[[nodiscard]] Result<PointMap> readPointMap(std::string_view text, std::string_view source);
[[nodiscard]] Result<PointMap> loadPointMap(const std::string& path);

/// The points that a map makes of a clip, one per entry. Points of a clip without names are called
/// 0, 1, 2, .... A middle is missing in frames in which one of its points is. Errors: a point that
/// the clip does not have.
[[nodiscard]] Result<PointClip> mappedPoints(const PointMap& map, const PointClip& clip);

}  // namespace ulna::io
