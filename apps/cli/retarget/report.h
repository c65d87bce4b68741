// SPDX-License-Identifier: Apache-2.0

// What became of a retargeting, in words.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/retarget/retarget.h"

namespace ulna::cli {

/// A line for each thing that was measured. Lengths have the target's unit where that is known;
/// what is small in metres is in centimetres.
[[nodiscard]] std::vector<std::string> reportLines(const Input& target,
                                                   const RetargetReport& report);

}  // namespace ulna::cli
