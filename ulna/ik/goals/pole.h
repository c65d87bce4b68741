// SPDX-License-Identifier: Apache-2.0

// A goal for the bend of a limb: it should bend towards a point, knees forward, elbows back.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Residual: the angle about the line from start to end between the bend and the pole, times how
/// far `mid` is off that line. It fades as the limb straightens and as the pole comes within a
/// tenth of the line's length of it, so nothing flips there; a pole on the line, or a limb of zero
/// length, asks for nothing. One row, none in the plane (a bend there has no plane to choose).
/// Error: the absolute value of the residual, a length.
struct PoleGoal {
    JointId start = JointId::None;  ///< shoulder or hip
    JointId mid = JointId::None;    ///< elbow or knee
    JointId end = JointId::None;    ///< wrist or ankle
    Vec3 pole = {};                 ///< in model space
};

}  // namespace ulna
