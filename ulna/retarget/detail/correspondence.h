// SPDX-License-Identifier: Apache-2.0

// Correspondence: which segment of a body gets the rotation of which segment of another one.
#pragma once

#include <vector>

#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

/// Where a segment gets its rotation: between two of the source's. `from` is -1 where the source
/// has nothing like it, and the segment stays as its parent.
struct SegmentShare {
    int from = -1, to = -1;
    double share = 0.0;
};

/// For each segment of the target. Chains of different lengths share the bends of each other.
[[nodiscard]] std::vector<SegmentShare> findShares(const BodySegments& source,
                                                   const BodySegments& target);

/// What shares the bends of a chain of `from` below its base is a chain of `to`.
void shareChain(const std::vector<int>& from, int base, const std::vector<int>& to,
                std::vector<SegmentShare>& shares);

/// Joints that are no part of a human body, and are called alike in both, become segments of both
/// bodies that are moved alike.
void addNamesakes(const Skeleton& source, const Pose& source_rest, const Skeleton& target,
                  const Pose& target_rest, BodySegments& from, BodySegments& to,
                  std::vector<SegmentShare>& shares);

/// Lengths of the target over those of the source: of legs, or of what both have.
[[nodiscard]] double sizeRatio(const BodySegments& source, const BodySegments& target);

/// Whether legs have the same lengths after scaling, so that feet go where they went by themselves.
[[nodiscard]] bool haveSameProportions(const BodySegments& source, const BodySegments& target,
                                       double scale);

}  // namespace ulna::retarget::detail
