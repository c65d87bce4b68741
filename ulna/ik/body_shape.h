// SPDX-License-Identifier: Apache-2.0

// BodyShape: the bulk of a human body, its weight, and the soles that it stands on.
//
// Skeletons are lines. A shape says how thick the limbs around them are, so that arms stay out of
// the trunk and knees above the floor (ik/body_rules.h). Radii are those of a usual person with
// such legs; character/bulk.h measures them on a skin, and NaturalBody::setShape takes them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ulna/ik/goals/keep_apart.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/masses.h"

namespace ulna {

/// The parts of a body that have a bulk of their own.
enum class BodyLimb : std::uint8_t {
    LowerTrunk,
    UpperTrunk,
    Head,
    LeftUpperArm,
    LeftForearm,
    LeftHand,
    LeftThigh,
    LeftShin,
    LeftFoot,
    RightUpperArm,
    RightForearm,
    RightHand,
    RightThigh,
    RightShin,
    RightFoot,
};
inline constexpr std::size_t kBodyLimbs = 15;

/// Points under a foot, in the coordinates of its ankle.
struct Sole {
    JointId ankle = JointId::None;
    /// Where it rests: the heel's two sides and the ball's two sides, then the tip of the toes.
    std::array<Vec3, 5> points = {};
};

struct BodyShape {
    std::array<Capsule, kBodyLimbs> limbs = {};  ///< by BodyLimb
    std::array<Sole, 2> soles = {};              ///< left, right
    std::vector<JointMass> masses = {};          ///< empty where they are not known
    Vec3 up = {0, 1, 0};                         ///< in model space
    double leg = 1.0;                            ///< thigh and shin

    [[nodiscard]] const Capsule& limb(BodyLimb which) const {
        return limbs[static_cast<std::size_t>(which)];
    }
};

/// @pre body is of the skeleton in t_pose, and has hips, a spine, a head, and whole arms and legs.
[[nodiscard]] BodyShape makeBodyShape(const Skeleton& skeleton, const Pose& t_pose,
                                      const HumanBody& body);

/// The joint below another one that is farthest from it in a pose: the tip of a hand or a foot.
/// None where there is nothing below.
[[nodiscard]] JointId farthestBelow(const Skeleton& skeleton, const ModelPose& pose, JointId joint);

}  // namespace ulna
