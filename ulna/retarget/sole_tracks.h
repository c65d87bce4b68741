// SPDX-License-Identifier: Apache-2.0

// Where the soles of a body are in a clip: for plots, and for judging contacts by eye.
#pragma once

#include <array>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/quat.h"
#include "ulna/retarget/retarget.h"

namespace ulna {

/// The points that contacts (retarget/contacts.h) are about, frame by frame, in the axes of the
/// ground: y is up, and at rest x is to the left and z forward.
struct SoleTracks {
    Quat model_from_ground = {};
    std::array<std::array<std::vector<Vec3>, 2>, 2> points = {};  ///< by side, left first, and part
};

/// Errors where no hips and legs are recognised.
/// @pre the motion is of the body's skeleton, and the rest pose has one transform per joint.
[[nodiscard]] Result<SoleTracks> trackSoles(const RetargetBody& body, const Motion& motion);

}  // namespace ulna
