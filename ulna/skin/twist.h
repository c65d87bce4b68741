// SPDX-License-Identifier: Apache-2.0

// Twist: how a limb rotates about its own length, spread over that length.
//
// A forearm turns the hand by turning in itself: a little below the elbow, wholly at the wrist. A
// skeleton has this rotation at one joint, and weights blend it over the few centimetres around the
// joint, where the skin then wrings: linear blend thins it like a candy wrapper, dual quaternions
// shear it. With the limbs' bones given here, a Deformer (skin/deform.h) takes the twist out of the
// joint and spreads it evenly over the bone. Weights, skeleton and poses stay as they are; no joint
// is added.
//
//     const Deformer deformer(skeleton, mesh, limbTwists(skeleton));
//
// The twist of a rotation is its part about the bone (swing and twist: Dobrowolski, "Swing-twist
// decomposition in Clifford algebra", 2015), measured from the bind pose, from -180 to 180 degrees.
// Where the swing is 180 degrees there is none.
#pragma once

#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// A bone from one joint to another, and the twists that are spread over it.
struct TwistBone {
    JointId start = JointId::None;  ///< whose weights say what is on the bone: the shoulder
    JointId end = JointId::None;    ///< the bone points to it: the elbow
    /// The twist of `start` against its parent. Beside `start` the surface does not twist, beside
    /// `end` it does as the joint says.
    bool at_start = true;
    /// The twist of `end` against `start`. Beside `start` the surface does as the joint says,
    /// beside `end` it has this twist too.
    bool at_end = false;
};

/// The upper arms, forearms, thighs and shins of a human body that is recognised by the names of
/// its joints (skeleton/human_body.h); empty where none is. Upper arms and thighs take the twist of
/// the shoulder and the hip, forearms and shins that of both their ends.
[[nodiscard]] std::vector<TwistBone> limbTwists(const Skeleton& skeleton);

}  // namespace ulna
