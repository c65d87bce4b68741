// SPDX-License-Identifier: Apache-2.0

// Human joint limits for skeletons that carry none: BVH and glTF files.
//
// Joints are recognised by name, in the common naming families. Their ranges are stated in frames
// built from the body itself (bone direction; left, up, forward), so the same person in two file
// conventions gets the same allowed poses. The result is a skeleton of the same joints, names and
// places whose joints turn about anatomical axes; poses go over to it and back without loss.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// A joint of the human body, found by its name.
struct RecognisedJoint {
    JointId joint = JointId::None;
    std::string_view part = {};  ///< "left knee", "neck", ...
};

/// A skeleton with human limits, and how its joints' axes relate to those it was made from.
struct AnatomicalRig {
    Skeleton skeleton;  ///< the same joints in the same order; zero angles are the T-pose
    std::vector<Quat> joint_from_anatomical;  ///< per joint: from its new axes to its old ones
    std::vector<RecognisedJoint> recognised;  ///< the joints that were given human ranges
};

/// Gives the recognised joints human ranges. `t_pose` is the pose with straight arms and legs that
/// the ranges are measured from: the rest pose, or a frame of the clip where the rest pose is none.
///
/// Errors when too little of a body is recognised to know left, up and forward (hips and either
/// both legs or a spine with both arms are needed), with the names that were looked for.
/// @pre t_pose has one transform per joint of skeleton.
[[nodiscard]] Result<AnatomicalRig> makeAnatomicalRig(const Skeleton& skeleton, const Pose& t_pose);

/// A pose of the original skeleton as one of the anatomical skeleton, and back: every joint keeps
/// its place, and the two are inverse to rounding.
[[nodiscard]] Pose toAnatomical(const AnatomicalRig& rig, const Pose& pose);
[[nodiscard]] Pose fromAnatomical(const AnatomicalRig& rig, const Pose& pose);

}  // namespace ulna
