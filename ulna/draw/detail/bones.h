// SPDX-License-Identifier: Apache-2.0

// The bones of a pose as pictures show them: round, thicker at their start, coloured by the side
// of the body.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/sides.h"
#include "ulna/skeleton/up_axis.h"
#include "ulna/skin/mesh.h"

namespace ulna::draw::detail {

/// Two balls in model space and all between them.
struct Bone {
    Vec3 from, to;
    double radius_from = 0.0, radius_to = 0.0;
    BodySide side = BodySide::Centre;
};

/// One bone from each joint's parent to the joint, and one to the tip of each bone at an end. Where
/// the skeleton has no radii they follow the bones' lengths, within bounds of `size`.
[[nodiscard]] std::vector<Bone> bonesOf(const Skeleton& skeleton, const ModelPose& model,
                                        double size);

/// The extent of a pose's joints; never 0.
[[nodiscard]] double poseSize(const ModelPose& model);

/// Where on the ground a pose stands: below its first joint. Pictures place each figure over a spot
/// of its own, wherever it has walked to. @pre the pose has a joint.
[[nodiscard]] Vec3 groundPosition(const ModelPose& model, UpAxis up);

/// A side with its colour and its word in legends.
struct SideColor {
    BodySide side;
    Color color;
    const char* name;
};
inline constexpr std::array<SideColor, 3> kSideColors = {
    {{BodySide::Left, {38, 110, 196, 255}, "left"},
     {BodySide::Right, {211, 84, 52, 255}, "right"},
     {BodySide::Centre, {70, 78, 92, 255}, "centre"}}};
[[nodiscard]] const Color& colorOf(BodySide side);

/// The sides whose colours the bones have, for a legend; empty where there is only the centre's,
/// since one colour needs no explanation.
[[nodiscard]] std::vector<SideColor> sidesShown(std::span<const Bone> bones);

}  // namespace ulna::draw::detail
