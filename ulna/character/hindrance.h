// SPDX-License-Identifier: Apache-2.0

// Hindrances: the pins that keep a dragged point from where the hand wants it.
//
// Somebody pulls at a knee, and the knee hardly moves: the foot is pinned. A program that says so,
// and offers to let go of the pin, saves a search.
#pragma once

#include <span>
#include <vector>

#include "ulna/character/drag.h"

namespace ulna {

/// The pins without which the grabbed point would come at least twice as near to `target` as it
/// does with all of them: each alone, or where no single one does it, all of them together. None
/// where the point comes within a hundredth of the body's size.
///
/// Each pin costs a few solves: for the end of a drag, not for its frames.
/// @param pose in which the drag began. The other parameters are those of Drag::make.
[[nodiscard]] std::vector<JointId> hinderingPins(const Stage& stage, const Pose& pose,
                                                 const DragGrab& grab, const Vec3& target,
                                                 std::span<const DragPin> pins,
                                                 std::span<const DragPole> poles = {},
                                                 const DragOptions& options = {});

}  // namespace ulna
