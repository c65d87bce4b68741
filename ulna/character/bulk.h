// SPDX-License-Identifier: Apache-2.0

// Bulk: how thick the limbs of a body are, measured on its skin.
//
// A natural body keeps its limbs out of each other (ik/body_rules.h) as capsules. Without a skin
// these are as thick as a usual person's; with one, a limb has the median distance of its surface
// from its axis: half the area of the skin that mostly follows the limb's bones is nearer. Fingers
// that stick out, a sleeve or a bag change a median little.
#pragma once

#include <span>

#include "ulna/ik/body_shape.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// The shape with the radii of the skins. Limbs that have little or no skin beside their axis (less
/// area than that of a disc of the usual radius) keep the radius they have, and none becomes
/// thinner than a third or thicker than three times that.
///
/// @param shape of a skeleton with the same joints at the same positions. @param model that
/// skeleton in a pose. @param skins of `skeleton`, with weights. @param skeleton in the same pose.
/// @pre both poses have one transform per joint.
[[nodiscard]] BodyShape measuredShape(BodyShape shape, const ModelPose& model,
                                      std::span<const Mesh* const> skins, const Skeleton& skeleton,
                                      const ModelPose& skeleton_model);

}  // namespace ulna
