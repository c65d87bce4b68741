// SPDX-License-Identifier: Apache-2.0

// From integers to the bytes of a packed clip: how wide each channel's differences are in each
// segment, the few sets of widths that are worth a number, and the bits.
#pragma once

#include <optional>
#include <string>

#include "ulna/motion/detail/pack_grid.h"

namespace ulna::motion::detail {

/// None where a difference has too many bits, or all of it too many bytes.
[[nodiscard]] std::optional<std::string> writePacked(const Skeleton& skeleton, const Motion& motion,
                                                     const PackPlan& plan, const PackGrid& grid,
                                                     const std::vector<std::int32_t>& integers,
                                                     const PackOptions& options);

}  // namespace ulna::motion::detail
