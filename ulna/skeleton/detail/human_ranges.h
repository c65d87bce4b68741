// SPDX-License-Identifier: Apache-2.0

// How far human joints turn, and about which axes of the body.
//
// A joint's anatomical frame has y along its bone and z where flexion takes the bone; x = y × z is
// the axis of flexion. A positive turn about z takes the bone towards -x. Everything is stated for
// the left side in body axes (x left, y up, z forward); the right side is its mirror image.
#pragma once

#include "ulna/math/mat3.h"
#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/joint.h"

namespace ulna::skeleton::detail {

/// Where the frame's y comes from.
enum class BoneAxis : std::uint8_t {
    Body,   ///< from the body's axes: bones of the trunk lean, its movements do not
    Bone,   ///< along the bone
    Level,  ///< along the bone made level: a foot's bone slopes by how high its ankle is
};

struct HumanRange {
    std::string_view name = {};        ///< "neck", or of the left side "left knee"
    std::string_view right_name = {};  ///< "right knee"
    BoneAxis bone_axis = BoneAxis::Body;
    Vec3 bone = {};     ///< in the T-pose, where the skeleton does not tell
    Vec3 flexion = {};  ///< where flexion takes the bone
    EulerOrder order = EulerOrder::Xzy;
    DofLimit x = {};  ///< flexion, positive, and extension
    DofLimit z = {};  ///< sideways, positive towards -x
    DofLimit y = {};  ///< twist about the bone
};

/// @pre part is not None. Hips and tails have a name and no limits.
[[nodiscard]] const HumanRange& humanRange(BodyPart part);

/// How joints share a range: evenly, or so that one may take more than its part.
enum class Sharing : std::uint8_t { Even, Uneven };

/// The range of one of `count` joints that share it.
[[nodiscard]] DofLimit shared(const DofLimit& limit, std::size_t count, Sharing sharing);

/// body_from_anatomical as columns. `bone` is in body axes, in any length; zero when not known.
[[nodiscard]] Mat3 anatomicalFrame(const HumanRange& range, BodySide side, Vec3 bone);

}  // namespace ulna::skeleton::detail
