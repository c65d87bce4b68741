// SPDX-License-Identifier: Apache-2.0

// Files of points over time: positions of a body's joints or markers, frame by frame.
//
// .npy arrays, .csv tables, .json documents and .c3d recordings (docs/retarget/points.md describes
// each). What the points are, a layout says (retarget/point_layout.h, io/point_map.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/io/point_file.h"

namespace ulna::io {

enum class PointFormat : std::uint8_t { Npy, Csv, Json, C3d };

/// The format that the name of a file says; nothing for another.
[[nodiscard]] std::optional<PointFormat> pointFormatOfName(std::string_view name);

/// Reads points. `source` is the name used in messages. A position with a coordinate that is not
/// finite is missing. Errors: no frame, no point, frames of different numbers of points, and
/// whatever the format's own rules say.
[[nodiscard]] Result<PointFile> readPoints(std::string_view bytes, PointFormat format,
                                           std::string_view source);
/// The format is the one that the name's ending says.
[[nodiscard]] Result<PointFile> loadPoints(const std::string& path);

/// Confidences of the points of a clip, as an array of frames x points in an .npy file: they
/// replace those that the clip has. What is missing stays missing.
[[nodiscard]] Status readConfidences(std::string_view bytes, std::string_view source,
                                     PointClip& clip);

}  // namespace ulna::io
