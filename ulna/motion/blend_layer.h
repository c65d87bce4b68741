// SPDX-License-Identifier: Apache-2.0

// BlendLayer: one input of blending in float (motion/float_blend.h).
#pragma once

#include <span>

#include "ulna/skeleton/float_pose.h"

namespace ulna {

/// A pose with its weight.
struct BlendLayer {
    const FloatPose* pose = nullptr;
    float weight = 1.0f;
    std::span<const float> joint_weights = {};  ///< factors of `weight`, one per joint; empty: 1
};

}  // namespace ulna
