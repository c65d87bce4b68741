// SPDX-License-Identifier: Apache-2.0

// The options of verbs that say how tracks go from key to key and beyond.
#pragma once

#include <string>

#include "apps/cli/command.h"
#include "apps/cli/input.h"
#include "ulna/io/keys.h"

namespace ulna::cli {

/// Empty where nothing was said.
struct CurveOptions {
    std::string interpolation, ends, outside;
};
void addCurveOptions(Tool& tool, CLI::App* verb, CurveOptions& options);

/// What was said, and the usual for the rest.
[[nodiscard]] io::KeysOptions keysOptions(const CurveOptions& options);

/// The keys of a file where one is named, else those of one of the input's clips with what was said
/// applied; frames become linear keys. Fails with exit code 3 on a bad file, and with 2 where a
/// clip without tangents is to be hermite.
[[nodiscard]] KeyedMotion chooseKeys(const Input& input, const Motion& clip,
                                     const std::string& keys_file, const CurveOptions& options);

}  // namespace ulna::cli
