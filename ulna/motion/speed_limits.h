// SPDX-License-Identifier: Apache-2.0

// Speed limits: where a clip moves degrees of freedom faster than a robot can.
//
// Between two frames the speed is constant, as a robot that follows the frames would have it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ulna/core/diagnostic.h"
#include "ulna/motion/dof_clip.h"

namespace ulna {

/// A degree of freedom that is too fast somewhere.
struct SpeedExcess {
    std::size_t dof = 0;
    double speed = 0.0;     ///< the largest, in radians or units of length per second
    double limit = 0.0;     ///< what it exceeds
    std::size_t frame = 0;  ///< where it is largest: between this frame and the next
    std::size_t steps = 0;  ///< from how many frames to the next it exceeds the limit
};

/// The degrees of freedom of a clip that exceed their limit by more than rounding (a millionth of
/// it), ascending.
/// @pre limits has one value per degree of freedom, 0 or more; infinite where there is none.
[[nodiscard]] std::vector<SpeedExcess> findSpeedExcesses(const DofClip& clip,
                                                         std::span<const double> limits);

/// A warning for each: the name of the degree of freedom, its speed, its limit and the frame.
/// @pre as findSpeedExcesses; the clip is one of the skeleton.
[[nodiscard]] Warnings speedWarnings(const Skeleton& skeleton, const DofClip& clip,
                                     std::span<const double> limits);

}  // namespace ulna
