// SPDX-License-Identifier: Apache-2.0

// The options of verbs that say how tracks go from key to key and beyond.
#pragma once

#include <string>

#include "apps/cli/command.h"
#include "ulna/io/keys.h"

namespace ulna::cli {

/// Empty where nothing was said.
struct CurveOptions {
    std::string interpolation, ends, outside;
};
void addCurveOptions(Tool& tool, CLI::App* verb, CurveOptions& options);

/// What was said, and the usual for the rest.
[[nodiscard]] io::KeysOptions keysOptions(const CurveOptions& options);

/// Gives every track of a clip what was said. Tangents are needed for hermite curves, so clips of
/// other curves refuse to become some.
void applyCurveOptions(const CurveOptions& options, KeyedMotion& motion);

}  // namespace ulna::cli
