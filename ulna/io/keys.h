// SPDX-License-Identifier: Apache-2.0

// Keys of a clip as people write them: JSON with tracks, or a table of degrees of freedom.
//
// A file of keys names joints of a skeleton that it does not contain. The formats are described in
// docs/motion/keys-file.md and docs/keys.schema.json; angles are in degrees.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

/// What tracks are that do not say it themselves.
struct KeysOptions {
    Interpolation interpolation = Interpolation::CatmullRom;
    TrackEnds ends = TrackEnds::Mirrored;
    Outside outside = Outside::Hold;
};

/// Reads keys in JSON. Errors carry the JSON path, and near names for a joint that is not there;
/// unknown keys are errors, so that a misspelt interpolation is not a missing one.
[[nodiscard]] Result<KeyedMotion> readKeysJson(std::string_view text, std::string_view source,
                                               const Skeleton& skeleton,
                                               const KeysOptions& options = {});

/// Reads keys as comma-separated values: a first line with `time` and names of degrees of freedom
/// (`LeftKnee`, `Hips.tx`: those that writeCsv writes; a column `frame` is skipped), then a line
/// for each time; an empty cell is no key. Errors have line and column.
[[nodiscard]] Result<KeyedMotion> readKeysCsv(std::string_view text, std::string_view source,
                                              const Skeleton& skeleton,
                                              const KeysOptions& options = {});

/// Reads a file by its ending, `.json` or `.csv`.
[[nodiscard]] Result<KeyedMotion> loadKeys(const std::string& path, const Skeleton& skeleton,
                                           const KeysOptions& options = {});

/// The text of a JSON file of keys: reads back as the same clip where the base pose is the rest
/// pose, since a file of keys holds no other.
[[nodiscard]] std::string writeKeysJson(const Skeleton& skeleton, const KeyedMotion& motion);

}  // namespace ulna::io
