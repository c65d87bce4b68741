// SPDX-License-Identifier: Apache-2.0

// A pose's bones as a mesh, so that skeletons without a mesh have shaded pictures too.
//
// The bones are those of draw/figure.h: round, to scale, in the colours of the sides of the body.
#pragma once

#include <span>
#include <vector>

#include "ulna/draw/legend.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw {

/// The bones of a pose in model space, moved so that the first joint is above the origin. A joint
/// without any bone is a ball. Empty if the skeleton has no joints.
/// @param size: the extent of the figure, from which radii follow that the skeleton does not state;
///        0: the extent of this pose.
/// @pre model has one transform per joint of skeleton.
[[nodiscard]] Mesh makeBoneMesh(const Skeleton& skeleton, const ModelPose& model,
                                UpAxis up = UpAxis::Y, double size = 0.0);

/// The same where the pose has it: for animations, in which figures move. The extent should then be
/// that of one pose of the clip, so that bones keep their radii.
[[nodiscard]] Mesh makeBoneMeshInPlace(const Skeleton& skeleton, const ModelPose& model,
                                       double size);

/// What the colours of makeBoneMesh mean; empty if there is one only.
[[nodiscard]] std::vector<LegendColor> boneColors(const Skeleton& skeleton);

}  // namespace ulna::draw
