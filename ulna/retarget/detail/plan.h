// SPDX-License-Identifier: Apache-2.0

// Plan: what the target should do, in the axes of its ground: y is up. It knows no joints, and no
// frame depends on another but for contacts.
#pragma once

#include <array>
#include <vector>

#include "ulna/retarget/detail/correspondence.h"
#include "ulna/retarget/detail/poser.h"
#include "ulna/retarget/detail/source_motion.h"
#include "ulna/retarget/options.h"

namespace ulna::retarget::detail {

struct Plan {
    double floor = 0.0;
    bool lock = false;
    std::vector<Quat> d;  ///< frame by frame, per segment of the target
    std::vector<Vec3> centre;
    std::array<std::vector<FootGoal>, 2> feet;  ///< empty: legs point as they do in the source
    std::vector<HandGoals> hands;               ///< empty: arms point as they do in the source
    std::size_t lowered = 0;  ///< frames in which the pelvis is lowered for a leg to reach
};

/// Two bodies, and what of one is what of the other.
struct BodyPair {
    const BodySegments& from;
    const BodySegments& to;
    const std::vector<SegmentShare>& shares;
    double scale = 1.0;
};

[[nodiscard]] Plan makePlan(const BodyPair& bodies, const SourceMotion& source,
                            const Contacts& contacts, const RetargetOptions& options,
                            double frame_time);

}  // namespace ulna::retarget::detail
