// SPDX-License-Identifier: Apache-2.0

// Bones: other ways to describe the rest position of a joint and how it rotates.
//
//   rest bones        a canonical bone from (0,0,0) to (length,0,0) placed by a rest transform
//   direction + roll  y along the bone, x and z from the world's axes and a roll angle
//   twist-bend-twist  a ball joint of order Xzx: twist, bend, twist of the canonical bone
//
// Both make ordinary joint definitions; nothing downstream knows how they were stated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/skeleton/joint.h"

namespace ulna {

/// A bone placed in the model at rest: tail at `model_from_bone` * 0, tip `length` along its x.
struct RestBone {
    std::string name;
    std::string parent;  ///< empty for a root; its tip is usually, not necessarily, the tail here
    Rigid model_from_bone;
    double length = 0.0;
};

[[nodiscard]] inline Vec3 boneTail(const RestBone& bone) {
    return bone.model_from_bone.translation;
}
[[nodiscard]] inline Vec3 boneTip(const RestBone& bone) {
    return bone.model_from_bone * Vec3{bone.length, 0, 0};
}

/// Joint definitions whose pose transforms are T_i = T_parent That_i R_i That_i^-1 (rest points to
/// posed points). Joints are balls of order Xzx, so that the three angles are (third twist, bend,
/// first twist): R = Rx(theta3) Rz(theta2) Rx(theta1).
///
/// An unknown parent is left for makeSkeleton to report.
[[nodiscard]] std::vector<JointDef> jointsFromRestBones(std::span<const RestBone> bones);

/// The axes of a bone from its direction and roll, as columns: y along the bone; x the world's x
/// made perpendicular to y (the world's z when they are parallel), rotated by `roll` about y; z =
/// x cross y. A bone of length zero has the world's axes.
[[nodiscard]] Mat3 boneAxes(const Vec3& direction, double roll);

/// The roll that boneAxes needs to give these axes (y along the bone). In [-pi, pi].
[[nodiscard]] double boneRoll(const Mat3& axes);

/// A bone stated by its ends in the model at rest and a roll.
struct RolledBone {
    std::string name;
    std::string parent;  ///< empty for a root
    Vec3 tail;
    Vec3 tip;
    double roll = 0.0;
    EulerOrder order = EulerOrder::Zyx;  ///< about the bone's own axes: x first, then y, then z
};

/// Joint definitions for which a joint's rotation, seen from the parent at rest, is A R A^T with
/// the bone's axes A and R in the bone's order.
[[nodiscard]] std::vector<JointDef> jointsFromRolledBones(std::span<const RolledBone> bones);

}  // namespace ulna
