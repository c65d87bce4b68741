// SPDX-License-Identifier: Apache-2.0

// How large a body is: the one rule that tolerances, handles, drags and messages go by.
#pragma once

#include "ulna/math/box.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna {

/// The box around the joints of a pose and the far ends of their bones.
/// @pre model has one transform per joint of skeleton.
[[nodiscard]] Box boneBox(const Skeleton& skeleton, const ModelPose& model);

/// The longest side of a box.
[[nodiscard]] double largestExtent(const Box& box);

/// The largest extent of the rest pose, in the skeleton's own unit; 1 where all joints are at one
/// position, so that tolerances relative to it are never zero.
[[nodiscard]] double bodySize(const Skeleton& skeleton);

/// The extent of the rest pose along an axis: how tall the body is if that axis is up.
[[nodiscard]] double bodyHeight(const Skeleton& skeleton, UpAxis up);

}  // namespace ulna
