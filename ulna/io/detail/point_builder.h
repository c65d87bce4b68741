// SPDX-License-Identifier: Apache-2.0

// What readers of points share: a clip that grows by positions, of which some are missing.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/io/bounds.h"
#include "ulna/io/point_file.h"

namespace ulna::io::detail {

/// Whether a coordinate is larger than bodies and their paths may be.
[[nodiscard]] inline bool tooLarge(double value) {
    return std::isfinite(value) && !(std::abs(value) <= kLargestCoordinate);
}

/// A position that is missing where a coordinate or the confidence is not finite, or the confidence
/// is not above 0. Confidences are at most 1.
inline void addPosition(const Vec3& at, double confidence, PointClip& clip) {
    const bool there = isFinite(at) && confidence > 0.0;
    clip.positions.push_back(there ? at : Vec3{});
    clip.weights.push_back(there ? std::min(confidence, 1.0) : 0.0);
}

[[nodiscard]] Result<PointFile> readPointsCsv(std::string_view text, std::string_view source);
[[nodiscard]] Result<PointFile> readPointsJson(std::string_view text, std::string_view source);
[[nodiscard]] Result<PointFile> readPointsC3d(std::string_view bytes, std::string_view source);

}  // namespace ulna::io::detail
