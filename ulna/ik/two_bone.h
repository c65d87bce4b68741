// SPDX-License-Identifier: Apache-2.0

// Two-bone inverse kinematics: the closed-form solve for an arm or a leg.
//
// Turns `start` and `mid` so that `end` lands on a target and the bend faces a pole point. The law
// of cosines gives the exact answer, so there is no iteration and no tolerance to tune. For longer
// chains and other goals see ik/solver.h.
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
    std::optional<Vec3> pole = {};  ///< the bend turns towards this point; without it the bend
                                    ///< keeps its present plane
    double swivel = 0.0;  ///< a further turn of the bend about the line from start to target
    double soft = 0.0;    ///< fraction of the reach, in [0, 1), over which the limb eases into full
                          ///< extension instead of snapping straight: no pop of the knee
    double stretch = 1.0;  ///< how much longer the bones may become, 1 or more; makes them reach
                           ///< targets beyond their length
};

/// Solves `chain` for `goal`, changing only the rotations of `start` and `mid` in `pose` (and, with
/// stretch, the translations below them).
///
/// Out of reach is an answer: `end` stops at the closest point the bones allow, and the report says
/// so. Where the pole lies on the line from `start` to the target, the bend keeps its present
/// plane, or takes one fixed plane if the chain is also straight: the same on every run. A `mid`
/// that is a hinge bends about its own axis, towards the side its limits allow, and `start` brings
/// its plane to the pole. Joint limits: `mid` keeps those of a hinge; rotations of `start` are not
/// limited here (ik/solver.h with IkMethod::TwoBone clamps them and says so).
///
/// @pre pose has one transform per joint of skeleton, scales uniform.
/// @pre chain.start is an ancestor of chain.mid, and chain.mid of chain.end.
[[nodiscard]] IkReport solveTwoBone(const Skeleton& skeleton, const TwoBoneChain& chain,
                                    const TwoBoneGoal& goal, Pose& pose);

}  // namespace ulna
