// SPDX-License-Identifier: Apache-2.0

// Hands: fingers posed by a few numbers. How far each finger is curled, how far they are spread,
// and how far the thumb is opposed to them.
//
// Fingers are found by shape, whatever they are called: the chains of joints below a wrist. The one
// that leaves the hand nearest to the wrist, on the side of the index finger, is the thumb.
//
//     const Result<Hand> hand = findHand(skeleton, restPose(skeleton), BodySide::Left);
//     if (hand) poseHand(skeleton, *hand, handPose(HandShape::Fist, *hand), pose);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/sides.h"

namespace ulna {

enum class Finger : std::uint8_t { Thumb, Index, Middle, Ring, Little };
inline constexpr std::size_t kFingers = 5;

/// How a hand is held.
struct HandPose {
    /// By Finger: 0 is straight, as in a T-pose; 1 is a fist; down to -0.2 bends it back.
    std::array<double, kFingers> curl = {};
    double spread = 0.0;  ///< of the fingers: -1 together, 1 apart
    /// Of the thumb: 0 beside the hand; 1 opposite the index finger, where it meets its tip in a
    /// pinch.
    double oppose = 0.0;
};

enum class HandShape : std::uint8_t { Flat, Relaxed, Open, Grip, Fist, Point, Pinch };
inline constexpr std::size_t kHandShapes = 7;

/// "flat", "relaxed", ..., and back; none for another word.
[[nodiscard]] std::string_view handShapeName(HandShape shape);
[[nodiscard]] std::optional<HandShape> handShapeFromName(std::string_view name);

/// A joint of a finger, and how it rotates from the T-pose.
struct FingerJoint {
    JointId joint = JointId::None;
    Quat straight = {};       ///< parent_from_joint in the T-pose
    Vec3 curl_axis = {};      ///< in the joint's coordinates; positive angles close the hand
    Vec3 spread_axis = {};    ///< likewise; positive angles go to the side of the index finger
    double curl_angle = 0.0;  ///< for a curl of 1, in radians
    double spread_angle = 0.0;
    Vec3 opposed = {};  ///< the rotation vector of a thumb that is opposed, likewise
};

struct Hand {
    JointId wrist = JointId::None;
    /// By Finger, from the palm to the tip; empty for fingers that the skeleton does not have.
    std::array<std::vector<FingerJoint>, kFingers> fingers = {};
    double pinch_curl = 0.0;  ///< of the index finger in a pinch
};

[[nodiscard]] HandPose handPose(HandShape shape);
/// The same for one hand: a pinch curls its index finger until its thumb reaches the tip.
[[nodiscard]] HandPose handPose(HandShape shape, const Hand& hand);
/// All fingers alike; the thumb half as much.
[[nodiscard]] HandPose handPose(double curl, double spread = 0.0, double oppose = 0.0);

/// The hand of a human body. Errors: no body is recognised, or there are no fingers.
/// @param t_pose standing, arms out to the sides, palms down, fingers straight.
/// @param map roles that overrule names and shape; may be null.
/// @pre t_pose has one transform per joint; for the map see findBodyRoles.
[[nodiscard]] Result<Hand> findHand(const Skeleton& skeleton, const Pose& t_pose, BodySide side,
                                    const BodyMap* map = nullptr);

/// Rotates the fingers, inside their limits; the rest of the pose stays.
/// @pre the hand is of this skeleton; pose has one transform per joint; the numbers are finite.
void poseHand(const Skeleton& skeleton, const Hand& hand, const HandPose& how, Pose& pose);

/// How a hand is held in a pose: what poseHand was given, where no limit or lock was in the way.
/// Otherwise the nearest: in the mean over a finger's joints for its curl, over the fingers beside
/// the thumb for their spread, over the thumb's joints for its curl and opposition together.
/// Fingers that the skeleton does not have are straight.
/// @pre the hand is of this skeleton; pose has one transform per joint.
[[nodiscard]] HandPose readHand(const Skeleton& skeleton, const Hand& hand, const Pose& pose);

/// The shape that a hand has: poseHand for it would rotate no finger joint by more than 0.05
/// radians, which is hardly seen. @pre as of readHand.
[[nodiscard]] std::optional<HandShape> shapeOf(const Skeleton& skeleton, const Hand& hand,
                                               const Pose& pose);

}  // namespace ulna
