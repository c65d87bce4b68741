// SPDX-License-Identifier: Apache-2.0

// What became of a retargeting (retarget/retarget.h).
#pragma once

#include <cstddef>

#include "ulna/skeleton/joint.h"

namespace ulna {

/// What became of a retargeting, in the unit of the result; speeds are per second.
struct RetargetReport {
    double scale = 1.0;           ///< of the path: legs of the target over legs of the source
    double floor = 0.0;           ///< of the result
    double slide_mean = 0.0;      ///< horizontal speed of soles in contact: mean
    double slide_most = 0.0;      ///< and the largest
    double penetration = 0.0;     ///< how far soles are below the floor, at most
    double direction_mean = 0.0;  ///< between limbs of the source and the result, in radians
    double direction_most = 0.0;
    double fastest_source =
        0.0;               ///< the largest angular speed of a joint, without jumps and fingers
    double fastest = 0.0;  ///< of the result likewise, fingers too
    JointId fastest_joint = JointId::None;
    std::size_t lowered = 0;  ///< frames in which the pelvis was lowered for a leg to reach
};

}  // namespace ulna
