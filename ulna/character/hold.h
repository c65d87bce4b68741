// SPDX-License-Identifier: Apache-2.0

// Holding: joints of a pose brought to where they are to be, by as little as possible elsewhere.
//
// For poses that are nearly right already, frame by frame: the answer depends on the pose alone and
// changes as smoothly as the pose and the targets do. No limits are kept. For goals that are far
// away, with limits and levels, see ik/solver.h; for a hand that pulls, character/drag.h.
#pragma once

#include <optional>
#include <span>

#include "ulna/math/quat.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

struct JointHold {
    JointId joint = JointId::None;
    Vec3 position = {};                    ///< in model space
    std::optional<Quat> orientation = {};  ///< in model space; without it the joint may rotate
};

/// Moves joints to their positions and orientations and returns the largest distance that is left,
/// below 1e-9 of the skeleton's size where all can be reached. What carries much of the body moves
/// less than what carries little; roots that move freely are shifted least. A joint with two axes
/// stays as it is, hinges stay hinges. Where nothing is off, the pose stays as it is to the bit.
/// @pre pose has one transform per joint of skeleton.
double holdJoints(const Skeleton& skeleton, std::span<const JointHold> held, Pose& pose);

}  // namespace ulna
