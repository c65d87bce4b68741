// SPDX-License-Identifier: Apache-2.0

// Which part of a human body a joint is, by its name.
//
// Names are compared whole, after case, separators, prefixes and the mark of the side are taken
// off: "mixamorig:LeftHandThumb1" is a thumb and "HeadTop_End" is nothing, whatever else they
// contain.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ulna/skeleton/sides.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::skeleton::detail {

/// Named by the articulation, not by the bone below it: the thigh's joint is the hip.
enum class BodyPart : std::uint8_t {
    None,
    Hips,  ///< the base of the body
    Spine,
    Neck,
    Head,
    Pelvis,  ///< between the hips and one leg, where a file has a joint there
    Hip,
    Knee,
    Ankle,
    Toes,
    Collarbone,
    Shoulder,
    Elbow,
    Wrist,
    Thumb,
    IndexFinger,
    MiddleFinger,
    RingFinger,
    LittleFinger,
    Fingers,  ///< several in one joint, or one that is not said which
    Tail,
};

struct NamedPart {
    BodyPart part = BodyPart::None;
    BodySide side = BodySide::Centre;

    friend bool operator==(const NamedPart&, const NamedPart&) = default;
};

/// What the names of a body say, per joint from `range.firstIndex()` on.
struct NamedParts {
    std::vector<NamedPart> parts;
    std::vector<bool> ambiguous;  ///< the word means another part beside other names
};

/// The part of every joint of one body. Some words mean one joint in one family and another in the
/// next ("LeftShoulder" is the collarbone beside a "LeftArm", and the upper arm beside a
/// "LeftCollar"), so names are judged together. Only one joint is the hips.
[[nodiscard]] NamedParts recogniseBody(const Skeleton& skeleton, JointRange range);

}  // namespace ulna::skeleton::detail
