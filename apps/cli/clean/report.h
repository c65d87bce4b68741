// SPDX-License-Identifier: Apache-2.0

// What `ulna clean` says about a clip, before and after.
#pragma once

#include <string>

#include "apps/cli/input.h"
#include "ulna/character/clean.h"

namespace ulna::cli {

/// What is reported: the steps that were asked for, and what became of them.
struct CleanRun {
    const Input& input;
    const CleanOptions& options;
    const CleanResult& result;
    std::string output;  ///< the file that was written; may be empty
    Warnings warnings;
};

/// A few lines; with `tables`, every spike and every contact too.
[[nodiscard]] std::string textOf(const CleanRun& run, bool tables);
[[nodiscard]] std::string jsonOf(const CleanRun& run);

}  // namespace ulna::cli
