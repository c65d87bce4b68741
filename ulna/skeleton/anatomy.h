// SPDX-License-Identifier: Apache-2.0

// Human joint limits for skeletons that carry none: BVH and glTF files.
//
// Joints are recognised by name or by shape (skeleton/body_roles.h). Their ranges are stated in
// frames built from the body itself (bone direction; left, up, forward), so the same person in two
// file conventions gets the same allowed poses. The result is a skeleton of the same joints, names
// and places whose joints rotate about anatomical axes; poses go over to it and back without loss.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// A joint of the human body.
struct RecognisedJoint {
    JointId joint = JointId::None;
    std::string_view part = {};  ///< "left knee", "neck", ...; named by the articulation
};

/// A skeleton with human limits, and how its joints' axes relate to those it was made from.
struct AnatomicalRig {
    Skeleton skeleton;  ///< the same joints in the same order; zero angles are the T-pose
    std::vector<Quat> joint_from_anatomical;  ///< per joint: from its new axes to its old ones
    std::vector<RecognisedJoint> recognised;  ///< the hips, which stay free, and the joints that
                                              ///< were given human ranges; parents first
    double confidence = 1.0;                  ///< of the least certain body (BodyRoles::confidence)
    Warnings warnings;  ///< limbs that do not lie as in a T-pose: their ranges are off by as much;
                        ///< and what is uncertain about the body
};

/// Gives the recognised joints human ranges. `t_pose` is the pose that the ranges are measured
/// from, standing with the arms straight out to the sides and the palms down: the rest pose, or a
/// frame of the clip where the rest pose is none.
///
/// Balls become Euler angles of flexion, sideways and twist; hinges and universal joints keep their
/// axes and get the range of the movement these make. Every other joint keeps its kind, axes and
/// limits: those without limits have the T-pose at zero, sliders and those with limits what they
/// had. Several characters in one skeleton are each recognised by themselves.
///
/// Errors when too little of a body is recognised to know left, up and forward (hips and either
/// both legs or both arms are needed), with the names that were looked for, for four-legged bodies,
/// and for planar skeletons.
/// @param map roles that overrule names and shape; may be null.
/// @pre t_pose has one transform per joint of skeleton; for the map see findBodyRoles.
[[nodiscard]] Result<AnatomicalRig> makeAnatomicalRig(const Skeleton& skeleton, const Pose& t_pose,
                                                      const BodyMap* map = nullptr);

/// A pose of the original skeleton as one of the anatomical skeleton, and back: every joint keeps
/// its position, stretch included, and the two are inverse to rounding.
/// @pre pose has one transform per joint; scales are uniform at joints that were recognised.
[[nodiscard]] Pose toAnatomical(const AnatomicalRig& rig, const Pose& pose);
[[nodiscard]] Pose fromAnatomical(const AnatomicalRig& rig, const Pose& pose);
/// The same in place; allocates nothing.
void turnToAnatomical(const AnatomicalRig& rig, Pose& pose);
void turnFromAnatomical(const AnatomicalRig& rig, Pose& pose);

}  // namespace ulna
