// SPDX-License-Identifier: Apache-2.0

// Smooth steps, and the smooth envelope of something that is needed in some frames, and eased into
// before and after.
#pragma once

#include <algorithm>
#include <vector>

namespace ulna::retarget::detail {

/// 0 up to 0, 1 from 1 on, and smooth between.
[[nodiscard]] inline double smoothStep(double t) {
    const double u = std::clamp(t, 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

/// At least `needed` in every frame, which is 0 or more, and smooth in time: the largest within
/// `width` frames, averaged over as many. The width is rounded, to 1 at least.
[[nodiscard]] std::vector<double> smoothEnvelope(const std::vector<double>& needed, double width);

}  // namespace ulna::retarget::detail
