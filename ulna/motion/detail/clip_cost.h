// SPDX-License-Identifier: Apache-2.0

// What a reduction minimises: over points and samples, the squared distance beyond a radius a
// little below the tolerance, plus a trace of the squared distance itself. Distances are in
// tolerances.
#pragma once

#include <algorithm>

namespace ulna::motion::detail {

inline constexpr double kCostRadius = 0.8;
inline constexpr double kCostTrace = 0.01;

[[nodiscard]] inline double pointCost(double distance) {
    const double beyond = std::max(0.0, distance - kCostRadius);
    return kCostTrace * distance * distance + beyond * beyond;
}

}  // namespace ulna::motion::detail
