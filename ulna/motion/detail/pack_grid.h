// SPDX-License-Identifier: Apache-2.0

// A motion rounded to the grids of its tracks, joint by joint from the root: each makes up for what
// rounding did above it.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/motion/detail/pack_plan.h"

namespace ulna::motion::detail {

struct PackGrid {
    float grid = 0.0f;                ///< what all steps are relative to
    std::vector<std::uint8_t> codes;  ///< by track
};

/// A grid on which every track is off by about `share` of the tolerance, times its own `weights`.
[[nodiscard]] PackGrid makeGrid(const PackPlan& plan, double tolerance, double share,
                                const std::vector<double>& weights);

struct RoundedFrames {
    std::vector<double> errors;          ///< by joint: how far the points around it are off
    std::vector<std::int32_t> integers;  ///< by channel, then by frame; none if not asked for
    bool fits = true;                    ///< whether every integer is small enough
};

/// @param every which frames: each `every`th.
[[nodiscard]] RoundedFrames roundFrames(const Skeleton& skeleton, const Motion& motion,
                                        const PackPlan& plan, const PackGrid& grid,
                                        const PackOptions& options, std::size_t every, bool keep);

}  // namespace ulna::motion::detail
