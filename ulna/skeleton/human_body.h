// SPDX-License-Identifier: Apache-2.0

// HumanBody: which joint of a skeleton is which part of a human body, and its axes.
//
// Joints are recognised by name, in the common naming families, and by shape where names say
// nothing; a map overrules both. The same as a list, which knows four-legged bodies too, is
// skeleton/body_roles.h; human limits for these joints are in skeleton/anatomy.h.
#pragma once

#include <array>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/mat3.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/sides.h"

namespace ulna {

/// The limbs of one side. Joints are named by the articulation: the thigh hangs from the hip. Where
/// an articulation is several hinges in series, as in robots (hip pitch, roll and yaw), the joint
/// is the first of them.
struct HumanSide {
    JointId collarbone = JointId::None;
    JointId shoulder = JointId::None;
    JointId elbow = JointId::None;
    JointId wrist = JointId::None;
    JointId hip = JointId::None;
    JointId knee = JointId::None;
    JointId ankle = JointId::None;
    JointId toes = JointId::None;
    /// The joint whose frame carries the hand, and the one that carries the sole: the last of the
    /// wrist's and of the ankle's series; of people, the wrist and the ankle.
    JointId hand = JointId::None, foot = JointId::None;
    /// By Finger of skeleton/hands.h: thumb to little finger, each from the palm to the tip. End
    /// Sites are not among them.
    std::array<std::vector<JointId>, 5> fingers = {};
};

/// Joints that the skeleton does not have, or that were not recognised, are None.
struct HumanBody {
    JointId hips = JointId::None;
    std::vector<JointId> spine = {};  ///< parents first: the chest among them, the hips not
    /// The joint that both arms, or collarbones, hang from; the last of the spine where there are
    /// none. Of a robot whose tree begins at the chest, the legs are below it: then it is an
    /// ancestor of the hips, and the spine leads from it down to them.
    JointId chest = JointId::None;
    std::vector<JointId> neck = {};  ///< parents first, the head not among them
    JointId head = JointId::None;
    HumanSide left = {}, right = {};
    Mat3 model_from_body = {};  ///< columns: left, up, forward
    /// The same as a list, with a confidence and a reason for each role, and warnings.
    BodyRoles roles = {};

    [[nodiscard]] const HumanSide& side(BodySide which) const {
        return which == BodySide::Right ? right : left;
    }
};

/// The first human body of a skeleton that stands in a T-pose. The error says what is missing to
/// know left, up and forward (hips, and either both legs or both arms), or that the body is
/// four-legged.
/// @param map roles that overrule names and shape; may be null.
/// @pre t_pose has one transform per joint; for the map see findBodyRoles.
[[nodiscard]] Result<HumanBody> findHumanBody(const Skeleton& skeleton, const Pose& t_pose,
                                              const BodyMap* map = nullptr);

}  // namespace ulna
