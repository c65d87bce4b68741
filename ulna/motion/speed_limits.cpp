// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/speed_limits.h"

#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/core/number_text.h"

namespace ulna {

std::vector<SpeedExcess> findSpeedExcesses(const DofClip& clip, std::span<const double> limits) {
    constexpr double kRounding = 1e-6;
    std::vector<SpeedExcess> all(limits.size());
    for (std::size_t frame = 0; frame + 1 < clip.frames.size(); ++frame) {
        const DofVector& from = clip.frames[frame];
        const DofVector& to = clip.frames[frame + 1];
        ULNA_ASSERT(from.size() == limits.size() && to.size() == limits.size(),
                    "one limit per degree of freedom is needed");
        for (std::size_t d = 0; d < limits.size(); ++d) {
            const double speed = std::abs(to[d] - from[d]) / clip.frame_time;
            if (!(speed > limits[d] * (1.0 + kRounding))) continue;
            SpeedExcess& excess = all[d];
            ++excess.steps;
            if (speed <= excess.speed) continue;
            excess.speed = speed;
            excess.frame = frame;
        }
    }
    std::vector<SpeedExcess> out;
    for (std::size_t d = 0; d < limits.size(); ++d) {
        if (all[d].steps == 0) continue;
        all[d].dof = d;
        all[d].limit = limits[d];
        out.push_back(all[d]);
    }
    return out;
}

Warnings speedWarnings(const Skeleton& skeleton, const DofClip& clip,
                       std::span<const double> limits) {
    Warnings out;
    for (const SpeedExcess& excess : findSpeedExcesses(clip, limits)) {
        const std::string unit = skeleton.isAngle(excess.dof) ? " rad/s" : " a second";
        const std::size_t steps = clip.frames.size() - 1;
        out.push_back({.what = "a joint moves at up to " + shortNumber(excess.speed, 4) + unit +
                               " (from frame " + std::to_string(excess.frame) +
                               " to the next), its limit is " + shortNumber(excess.limit, 4) +
                               unit + ", exceeded in " + std::to_string(excess.steps) + " of " +
                               std::to_string(steps) + " steps",
                       .text = skeleton.dofName(excess.dof)});
    }
    return out;
}

}  // namespace ulna
