// SPDX-License-Identifier: Apache-2.0

// The smooth envelope of something that is needed in some frames, and eased into before and after.
#pragma once

#include <vector>

namespace ulna::retarget::detail {

/// At least `needed` in every frame, which is 0 or more, and smooth in time: the largest within
/// `width` frames, averaged over as many. The width is rounded, to 1 at least.
[[nodiscard]] std::vector<double> smoothEnvelope(const std::vector<double>& needed, double width);

}  // namespace ulna::retarget::detail
