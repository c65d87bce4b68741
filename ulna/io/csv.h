// SPDX-License-Identifier: Apache-2.0

// Clips as tables of comma-separated values, for spreadsheets and data frames. Tables can be
// written but not read: they do not contain the hierarchy of the joints.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ulna/core/progress.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

enum class CsvContent : std::uint8_t {
    Positions,  ///< model positions: Hips.x, Hips.y, Hips.z, ...
    Rotations,  ///< rotations relative to the parent as quaternions: Hips.qx, ... Hips.qw
    Dofs,       ///< degrees of freedom, angles in degrees: Hips.tx, Knee, ...
};

/// The cell for a text: quoted where it needs it, and with an apostrophe before what spreadsheets
/// would compute.
[[nodiscard]] std::string csvCell(std::string_view text);

/// Writes one row per frame with the columns `frame`, `time` and the content. Stops when `sink` or
/// `progress` returns false. A clip without frames gives one row with the rest pose. A name that
/// begins with `=`, `+`, `-` or `@` gets an apostrophe before it, or spreadsheets would compute it.
void writeCsv(const Skeleton& skeleton, const Motion& motion, CsvContent content,
              const std::function<bool(std::string_view)>& sink, const Progress& progress = {});

}  // namespace ulna::io
