// SPDX-License-Identifier: Apache-2.0

// What walking and running share: a foot that rolls over the ground.
#pragma once

#include "ulna/math/vec.h"

namespace ulna::maker {

/// From 0 to 1 as t goes from `from` to `to`, at rest at both ends.
double smooth(double from, double to, double t);

/// The foot at a phase of its own cycle, 0 at the strike, in the frame that moves with the body.
struct FootState {
    Vec3 ankle;
    double pitch = 0.0;  ///< about x, positive with the toes down
    double toes = 0.0;   ///< of the toe joint, negative when bent up
};

/// The ankle while the foot is on the ground: it turns about the heel, then about the ball.
/// @param heel_z where the flat foot has its heel.
Vec3 stanceAnkle(double heel_z, double pitch);

}  // namespace ulna::maker
