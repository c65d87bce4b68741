// SPDX-License-Identifier: Apache-2.0

// Soles: where feet touch the ground, and how well they rest on it.
//
// Reports of retarget/clean.h hold these.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// How well soles rest on the ground, in the clip's unit.
struct SoleMeasure {
    double slide_mean = 0.0;   ///< horizontal speed of heels and balls in contact: mean, per second
    double slide_most = 0.0;   ///< and the largest
    double penetration = 0.0;  ///< how far a heel, a ball or a tip of the toes is below the ground
};

/// Where a foot touches the ground: points in the coordinates of joints, in the clip's unit.
struct SolePoints {
    JointId foot = JointId::None;
    Vec3 heel = {}, ball = {};     ///< of the foot
    double lift = 0.0;             ///< of the ball above the sole, where the foot is flat
    JointId toes = JointId::None;  ///< the joint of the tip: the foot's own where there are no toes
    Vec3 tip = {};
};

}  // namespace ulna
