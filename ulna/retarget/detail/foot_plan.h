// SPDX-License-Identifier: Apache-2.0

// FootPlan: where a foot has to be in every frame so that it does not slide.
//
// What a body would do with its feet by the directions of its limbs alone is corrected: in contact,
// the heel, the ball or the whole flat sole keeps its position on the floor; between contacts the
// corrections fade. Nothing depends on the frames before a contact, so that a clip that begins
// elsewhere is corrected alike. Everything is in the axes of the ground: y is up.
#pragma once

#include <span>
#include <vector>

#include "ulna/retarget/contacts.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

struct FootGoal {
    Vec3 ankle = {};     ///< where the shin ends
    Quat rotation = {};  ///< D of the foot
    Quat toes = {};      ///< D of the toes, where there are any
    /// How firmly the heel, the ball and the foot (the larger one) are held: 1 in contact, falling
    /// to 0 beside it.
    double heel = 0.0, ball = 0.0, hold = 0.0;
    bool changed = false;  ///< whether it differs from where the foot would be by itself
};

struct FootPlanOptions {
    double floor = 0.0;
    double frame_time = 1.0 / 30.0;
    double leg = 1.0;
};

/// Corrects the goals of one foot, which come as where it would be by itself.
/// @param contacts of this foot, in any order
void planFoot(const FootPoints& foot, std::span<const Contact> contacts,
              const FootPlanOptions& options, std::vector<FootGoal>& goals);

}  // namespace ulna::retarget::detail
