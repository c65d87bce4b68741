// SPDX-License-Identifier: Apache-2.0

// PointFile: points over time, and what their file says of them. Files are read by
// io/point_files.h.
#pragma once

#include <optional>

#include "ulna/core/diagnostic.h"
#include "ulna/retarget/point_clip.h"

namespace ulna::io {

struct PointFile {
    PointClip clip = {};
    bool timed = false;                 ///< whether the file says how long a frame is
    std::optional<double> metres = {};  ///< per unit, where the file says it
    Warnings warnings = {};
};

}  // namespace ulna::io
