// SPDX-License-Identifier: Apache-2.0

// PosePrior: what is known of the poses that people take.
//
// A small network, learned from captured motion (tools/learn-poses, docs/ik/natural.md): told where
// some points of a body are, it says how the whole body is most likely posed. It knows no skeleton:
// bodies are described by their proportions, poses by rotations from the T-pose in the axes of the
// body. To use it on a skeleton see ik/natural.h.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <memory>
#include <span>

#include "ulna/core/result.h"
#include "ulna/ik/pose_pairs.h"
#include "ulna/math/quat.h"

namespace ulna {

/// The segments of a body, each rotated by the joint at its start. Parents come before children.
enum class PoseRole : std::uint8_t {
    Hips,
    LowerBack,
    Spine,
    Chest,
    LowerNeck,
    UpperNeck,
    Head,
    LeftUpperArm,
    LeftForearm,
    LeftHand,
    RightUpperArm,
    RightForearm,
    RightHand,
    LeftThigh,
    LeftShin,
    LeftFoot,
    LeftToes,
    RightThigh,
    RightShin,
    RightFoot,
    RightToes,
};
inline constexpr std::size_t kPoseRoles = 21;
[[nodiscard]] constexpr std::size_t index(PoseRole role) {
    return static_cast<std::size_t>(role);
}

/// The segment that a segment hangs from; the hips' is themselves.
[[nodiscard]] PoseRole parentOf(PoseRole role);

/// The points that a pose can be asked for by: where these segments begin.
inline constexpr std::array kPosePoints = {
    PoseRole::Hips,        PoseRole::LeftHand,     PoseRole::RightHand,    PoseRole::LeftFoot,
    PoseRole::RightFoot,   PoseRole::Head,         PoseRole::LeftToes,     PoseRole::RightToes,
    PoseRole::LeftForearm, PoseRole::RightForearm, PoseRole::LeftShin,     PoseRole::RightShin,
    PoseRole::Chest,       PoseRole::LeftUpperArm, PoseRole::RightUpperArm};

/// A body in its T-pose: where each segment begins, from where its parent begins. In body axes (x
/// left, y up, z forward), in leg lengths (thigh and shin together).
using BodyOffsets = std::array<Vec3, kPoseRoles>;

/// Where points of a body are, in leg lengths. Up is y; which way the body faces is found.
struct PosePoints {
    std::array<Vec3, kPosePoints.size()> positions = {};
    std::bitset<kPosePoints.size()> given = {};
    /// Which way the body faces where the points hardly tell, a horizontal unit vector; and how
    /// much that counts beside what they tell, which counts up to 1.
    Vec3 forward = {0, 0, 1};
    double forward_weight = 0.05;
};

/// A pose of a body: rotations from the T-pose with straight limbs, in body axes.
struct RolePose {
    std::array<Quat, kPoseRoles> rotations = {};  ///< relative to the parent's; the hips' in model
    Vec3 hips = {};                               ///< where the hips are, in leg lengths
};

/// Constant once made; threads may share one.
class PosePrior {
  public:
    /// The prior of human poses that the library brings along.
    [[nodiscard]] static std::shared_ptr<const PosePrior> human();
    /// One from a file's bytes; an error where they are none, or damaged.
    [[nodiscard]] static Result<PosePrior> read(std::span<const std::byte> bytes);

    /// The likeliest pose of a body whose points are given. It is a continuous function of them;
    /// points are met roughly only.
    /// @pre at least one point is given, and all that are given are finite.
    [[nodiscard]] RolePose predict(const BodyOffsets& body, const PosePoints& points) const;

    /// How far poses of people are from what is predicted from their hands, feet, hips and head:
    /// the standard deviation per segment, in radians.
    [[nodiscard]] std::span<const double, kPoseRoles> deviations() const;

    /// Which angles of limbs people take together; none of a prior that knows nothing of them.
    [[nodiscard]] std::span<const PosePair> pairs() const;

  private:
    struct Network;
    explicit PosePrior(std::shared_ptr<const Network> network);
    std::shared_ptr<const Network> network_;
};

}  // namespace ulna
