// SPDX-License-Identifier: Apache-2.0

// Neck and head, whatever they are called: what leads on from the chest between the arms.
#pragma once

#include <vector>

#include "ulna/skeleton/detail/limb_pairs.h"
#include "ulna/skeleton/detail/shape_part.h"

namespace ulna::skeleton::detail {

/// Where a head is looked for.
struct HeadSearch {
    JointId chest = JointId::None;
    std::vector<JointId> others = {};  ///< joints at which other limbs begin, which do not count
    Vec3 shoulders = {};               ///< the middle between both
    Vec3 up = {};                      ///< a unit vector
    double trunk = 0.0;                ///< the length from the hips to the shoulders
    bool skull = true;  ///< a joint at the top of the head, as files of people have it, is none
};

/// Neck and head: the joints that lead on from the chest towards `up`. None where nothing does.
[[nodiscard]] std::vector<ShapePart> findHeadByShape(const BodyTree& tree,
                                                     const HeadSearch& search);

}  // namespace ulna::skeleton::detail
