// SPDX-License-Identifier: Apache-2.0

// PointLayout: which part of a body each point of a clip is.
//
// The usual layouts of pose estimators, data sets and generative models are built in; any other is
// stated point by point, as a landmark of the human body or as a joint of the skeleton
// (docs/retarget/points.md; files of it are read by io/point_map.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/math/vec.h"
#include "ulna/skeleton/sides.h"

namespace ulna {

/// Parts of the human body that points show. Those of both sides have a side in their PointRole.
enum class Landmark : std::uint8_t {
    None,   ///< the point is not used
    Joint,  ///< a joint of the skeleton, by name
    HipsMiddle,
    Pelvis,
    LowerSpine,
    MiddleSpine,
    UpperSpine,
    ShouldersMiddle,
    Neck,
    Head,
    HeadTop,
    Nose,
    Hip,  ///< from here on of one side
    Knee,
    Ankle,
    Heel,
    Ball,
    BigToe,
    SmallToe,
    Collar,
    Shoulder,
    Elbow,
    Wrist,
    Hand,
    Thumb,
    Index,
    Little,
    EyeInner,
    Eye,
    EyeOuter,
    Ear,
    Mouth,
};

/// Whether there is one on each side.
[[nodiscard]] constexpr bool isSided(Landmark landmark) {
    return landmark >= Landmark::Hip;
}
/// "hips_middle", "knee": the word of map files. "none" and "joint" are words too.
[[nodiscard]] std::string_view landmarkName(Landmark landmark);
[[nodiscard]] std::optional<Landmark> landmarkFromName(std::string_view name);
/// All words of landmarks, for advice.
[[nodiscard]] std::vector<std::string> landmarkNames();

struct PointRole {
    Landmark landmark = Landmark::None;
    BodySide side = BodySide::Centre;  ///< Left or Right where isSided(landmark)
    std::string joint = {};            ///< for Landmark::Joint
    Vec3 offset = {};                  ///< for Landmark::Joint, in the joint's coordinates
};

/// The axis of the points that points up.
enum class PointUp : std::uint8_t { X, MinusX, Y, MinusY, Z, MinusZ };

/// "x", "-x", "y", "-y", "z", "-z".
[[nodiscard]] std::string_view pointUpName(PointUp up);
[[nodiscard]] std::optional<PointUp> pointUpFromName(std::string_view name);

struct PointLayout {
    std::string name = {};
    std::vector<std::string> names = {};  ///< of the points
    std::vector<PointRole> roles = {};    ///< as many
    std::optional<PointUp> up = {};       ///< guessed where it is not known
    std::optional<double> metres = {};    ///< per unit of the points; guessed likewise
};

/// "coco-17", "human36m-17", "body-25", "mediapipe-33", "smpl-22", "smpl-24".
[[nodiscard]] std::span<const std::string_view> pointPresetNames();
[[nodiscard]] std::optional<PointLayout> pointPreset(std::string_view name);
/// The presets that have so many points.
[[nodiscard]] std::vector<std::string> pointPresetsOf(std::size_t point_count);

/// A layout whose points are joints, by their names; those that the skeleton does not have are not
/// used.
[[nodiscard]] PointLayout layoutOfJoints(std::span<const std::string> names,
                                         std::span<const std::string> joints);

}  // namespace ulna
