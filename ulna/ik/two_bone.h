// SPDX-License-Identifier: Apache-2.0

// Two-bone inverse kinematics: the closed-form solve for an arm or a leg.
//
// Turns `start` and `mid` so that `end` lands on a target and the bend faces a pole point. The law
// of cosines gives the exact answer, so there is no iteration and no tolerance to tune; a solve
// allocates nothing and touches only the limb and what is above it. For longer chains and other
// goals see ik/solver.h; what it can and cannot do is told in docs/ik/two-bone.md.
#pragma once

#include <optional>

#include "ulna/ik/report.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// Three joints, each an ancestor of the next. Joints in between keep their pose.
struct TwoBoneChain {
    JointId start = JointId::None;  ///< shoulder or hip
    JointId mid = JointId::None;    ///< elbow or knee
    JointId end = JointId::None;    ///< wrist or ankle
};

/// What the chain should reach, in model space.
struct TwoBoneGoal {
    Vec3 target = {};               ///< where `end` should land
    std::optional<Vec3> pole = {};  ///< the bend rotates towards this point; without it the bend
                                    ///< keeps its present plane
    double swivel = 0.0;  ///< a further rotation of the bend about the line from start to target
    double soft = 0.0;    ///< fraction of the reach, in [0, 1), over which the limb eases into full
                          ///< extension instead of snapping straight: no pop of the knee, at the
                          ///< price of falling short of targets there
    double stretch = 1.0;  ///< how much longer the bones may become, 1 or more; makes them reach
                           ///< targets beyond their length, or that `soft` falls short of
};

/// What became of a solve.
struct TwoBoneReport {
    IkStatus status = IkStatus::OutOfReach;  ///< Reached, OutOfReach or BadGoal
    double error = 0.0;  ///< distance from `end` to the target in the pose as it now is; 0 with a
                         ///< BadGoal
};

/// Solves `chain` for `goal`, changing only the rotations of `start` and `mid` in `pose` (and, with
/// stretch, the translations from below `start` down to `end`).
///
/// Out of reach is an answer: `end` stops at the closest point the bones allow, and the report says
/// so. Reached means within a billionth of the limb's length. A number that is not finite, or
/// beyond 1e75, makes a BadGoal, and the pose stays.
///
/// The bend: a `mid` that is a hinge bends about its own axis, wherever that is, to the side its
/// limits allow, or the side it is on where they allow both; another `mid` bends in the plane it is
/// bent in. `start` then brings that plane to the pole. Where the pole lies on the line from
/// `start` to the target the plane is carried along by the smallest rotation of `start`; a straight
/// limb without a plane takes one fixed plane, the same on every run. A limb at full extension
/// stays a millionth of a radian short of straight, and so remembers its plane when fed back.
///
/// Limits and kinds: each rotation is one its joint can hold (skeleton/state.h, allowedRotation),
/// locked joints stay, and the error says what that cost. A `start` that is neither ball nor free
/// cannot choose a plane, and the pole and swivel are left aside. In a planar skeleton the pole
/// chooses the side of the bend, and z stays exactly 0.
///
/// @pre pose has one transform per joint of skeleton, scales uniform and not zero.
/// @pre chain.start is an ancestor of chain.mid, and chain.mid of chain.end.
[[nodiscard]] TwoBoneReport solveTwoBone(const Skeleton& skeleton, const TwoBoneChain& chain,
                                         const TwoBoneGoal& goal, Pose& pose);

/// The same for a caller that has `model_from_parent` of the joint above `start` already (the
/// identity when `start` is a root): nothing above the limb is touched.
[[nodiscard]] TwoBoneReport solveTwoBone(const Skeleton& skeleton, const TwoBoneChain& chain,
                                         const TwoBoneGoal& goal, const Affine& model_from_parent,
                                         Pose& pose);

}  // namespace ulna
