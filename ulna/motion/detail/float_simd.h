// SPDX-License-Identifier: Apache-2.0

// The vector code of playing and blending, chosen at run time for the machine's vector unit.
#pragma once

#include <span>

#include "ulna/motion/detail/playable.h"
#include "ulna/motion/float_blend.h"

namespace ulna::detail {

/// The four components of a unit quaternion in float, not turned by more than 9.5e-8 rad.
void roundClosely(const double* q, float* out);

/// The present pieces of all lanes, `numbers` block by block, at the lanes' times.
void evaluateBlocks(std::span<const PlayBlock> blocks, const double* numbers, const double* times,
                    FloatPose& pose);

/// The two poses with these weights, which add up to 1, for all joints.
void blendTwo(const FloatPose& a, double weight_a, const FloatPose& b, double weight_b,
              FloatPose& out);

/// As blendPoses.
void blendMany(std::span<const BlendLayer> layers, FloatPose& out);

/// As addLayer.
void addDelta(const BlendLayer& layer, FloatPose& pose);

}  // namespace ulna::detail
