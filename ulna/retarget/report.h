// SPDX-License-Identifier: Apache-2.0

// What became of a retargeting (retarget/retarget.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ulna/skeleton/joint.h"

namespace ulna {

/// What became of a retargeting, in the unit of the result; speeds are per second.
struct RetargetReport {
    double scale = 1.0;          ///< of the path: legs of the target over legs of the source
    double floor = 0.0;          ///< of the result
    double slide_mean = 0.0;     ///< horizontal speed of soles in contact: mean
    double slide_most = 0.0;     ///< and the largest
    double penetration = 0.0;    ///< how far soles are below the floor, at most
    double floating_mean = 0.0;  ///< how far soles in contact are above the floor: mean
    double floating_most = 0.0;  ///< and the largest
    /// Angles between limbs of the source and of the result, in radians; the median and what 95 of
    /// 100 are below to a hundredth of a degree.
    double direction_mean = 0.0, direction_median = 0.0, direction_95 = 0.0, direction_most = 0.0;
    double fastest_source =
        0.0;               ///< the largest angular speed of a joint, without jumps and fingers
    double fastest = 0.0;  ///< of the result likewise, fingers too
    JointId fastest_joint = JointId::None;
    std::size_t lowered = 0;  ///< frames in which the pelvis was lowered for a leg to reach
    /// The mean height of the pelvis above standing ankles, and the length of its path over the
    /// ground, over those of the source times `scale`: 1 is in proportion to the legs. None where
    /// there are no legs, or where the source's are less than a third of a leg.
    std::optional<double> pelvis_height = {}, pelvis_path = {};
    std::vector<std::uint32_t> at_limit = {};  ///< per frame: how many joints are at a limit
    JointId limited_joint = JointId::None;     ///< the joint that is at a limit most often,
    std::size_t limited_joint_frames = 0;      ///< and in how many frames

    /// The frames in which a joint is at a limit.
    [[nodiscard]] std::size_t limitedFrames() const;
};

}  // namespace ulna
