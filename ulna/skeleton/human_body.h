// SPDX-License-Identifier: Apache-2.0

// HumanBody: which joint of a skeleton is which part of a human body, and its axes.
//
// Joints are recognised by name, in the common naming families (those of skeleton/anatomy.h, which
// gives them human limits).
#pragma once

#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/mat3.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/sides.h"

namespace ulna {

/// The limbs of one side. Joints are named by the articulation: the thigh hangs from the hip.
struct HumanSide {
    JointId collarbone = JointId::None;
    JointId shoulder = JointId::None;
    JointId elbow = JointId::None;
    JointId wrist = JointId::None;
    JointId hip = JointId::None;
    JointId knee = JointId::None;
    JointId ankle = JointId::None;
    JointId toes = JointId::None;
};

/// Joints that the skeleton does not have, or that were not recognised, are None.
struct HumanBody {
    JointId hips = JointId::None;
    std::vector<JointId> spine = {};  ///< parents first, the hips not among them
    std::vector<JointId> neck = {};   ///< parents first, the head not among them
    JointId head = JointId::None;
    HumanSide left = {}, right = {};
    Mat3 model_from_body = {};  ///< columns: left, up, forward

    [[nodiscard]] const HumanSide& side(BodySide which) const {
        return which == BodySide::Right ? right : left;
    }
};

/// The first human body of a skeleton that stands in a T-pose. The error says what is missing to
/// know left, up and forward: hips, and either both legs or both arms.
/// @pre t_pose has one transform per joint.
[[nodiscard]] Result<HumanBody> findHumanBody(const Skeleton& skeleton, const Pose& t_pose);

}  // namespace ulna
