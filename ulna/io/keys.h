// SPDX-License-Identifier: Apache-2.0

// Keys of a clip as people write them: JSON with tracks, or a CSV table of degrees of freedom.
//
// A file of keys names joints but does not contain the skeleton. The formats are described in
// docs/motion/keys-file.md and docs/keys.schema.json; angles are in degrees.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

/// The defaults for tracks that do not state these.
struct KeysOptions {
    Interpolation interpolation = Interpolation::CatmullRom;
    TrackEnds ends = TrackEnds::Mirrored;
    Outside outside = Outside::Hold;
};

/// Reads keys in JSON. Errors have the JSON path, and similar names for a joint that does not
/// exist. Unknown keys are errors, so that a misspelt interpolation is not taken as missing.
[[nodiscard]] Result<KeyedMotion> readKeysJson(std::string_view text, std::string_view source,
                                               const Skeleton& skeleton,
                                               const KeysOptions& options = {});

/// Reads keys as comma-separated values. The first line has `time` and names of degrees of freedom
/// (`LeftKnee`, `Hips.tx`, as writeCsv writes them); a column `frame` is ignored. Each other line
/// is for one time; an empty cell is no key. Errors have line and column.
[[nodiscard]] Result<KeyedMotion> readKeysCsv(std::string_view text, std::string_view source,
                                              const Skeleton& skeleton,
                                              const KeysOptions& options = {});

/// Reads a file; its extension, `.json` or `.csv`, says which format it has.
[[nodiscard]] Result<KeyedMotion> loadKeys(const std::string& path, const Skeleton& skeleton,
                                           const KeysOptions& options = {});

/// The text of a JSON file of keys. It reads back as the same clip if the base pose is the rest
/// pose; a file of keys holds no other.
[[nodiscard]] std::string writeKeysJson(const Skeleton& skeleton, const KeyedMotion& motion);

}  // namespace ulna::io
