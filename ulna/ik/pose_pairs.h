// SPDX-License-Identifier: Apache-2.0

// PosePairs: which angles of a limb people take together.
//
// A shoulder twists less far behind the back than in front, and a knee bends far where the hip
// does. For pairs of angles of one limb a map says how far a combination is from all that people
// were seen to take (tools/learn-poses); ik/body_rules.h keeps a body inside them. They are part of
// a prior of poses (ik/pose_prior.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ulna {

/// The angles of an arm and of a leg, in radians, from the T-pose and in the axes of the body. Of
/// shoulders (from the chest) and hips: the components of the swing's rotation vector (backwards
/// and up; backwards and aside) and the twist. Elbows and knees: the angle of the swing, of knees
/// with the sign of a backward bend. The twist of a forearm is that from the upper arm to the hand.
/// The right side is seen in a mirror.
enum class LimbAngle : std::uint8_t {
    ShoulderForward,
    ShoulderUp,
    ShoulderTwist,
    Elbow,
    ForearmTwist,
    HipFlex,
    HipSide,
    HipTwist,
    Knee,
};
inline constexpr std::size_t kLimbAngles = 9;
/// "shoulder forward", ...
[[nodiscard]] std::string_view limbAngleName(LimbAngle angle);

/// Of one side of a body, by LimbAngle.
using LimbAngles = std::array<double, kLimbAngles>;

struct PosePair {
    /// The map has so many cells for a revolution of each angle, the first at -pi.
    static constexpr std::size_t kCells = 60;

    LimbAngle a = LimbAngle::ShoulderForward, b = LimbAngle::ShoulderUp;
    /// By cells of `a`, then of `b`: how far the cell's centre is outside, in degrees; negative
    /// inside.
    std::vector<std::int8_t> map = {};

    /// How far outside angles are, in radians; negative inside. Continuous. `slope` gets its
    /// derivatives by both angles.
    [[nodiscard]] double outside(const LimbAngles& angles, std::array<double, 2>& slope) const;
};

/// Moves angles of one side to where no pair is outside by more than it is allowed to, in radians;
/// where pairs contradict each other, nearer to it. Returns whether any moved.
bool moveInside(std::span<const PosePair> pairs, std::span<const double> allowed,
                LimbAngles& angles);

}  // namespace ulna
