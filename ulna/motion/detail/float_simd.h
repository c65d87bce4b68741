// SPDX-License-Identifier: Apache-2.0

// The vector code of playing and blending, chosen at run time for the machine's vector unit.
#pragma once

#include <span>

#include "ulna/motion/blend_layer.h"
#include "ulna/motion/detail/play_block.h"

namespace ulna::motion::detail {

/// How far a rounded quaternion may be off across itself: half the angle of the error.
inline constexpr double kMostOff = 0.5 * 9.45e-8;

/// Mends rotations that were rounded to nearest and are further off: 1.07e-7 rad is possible where
/// three components are at least 1/2. All are near half a step off then; taking all towards zero
/// shortens the quaternion instead of rotating it.
/// @param exact rows of FloatPose::kLanes values: x, y, z, w of `count` rotations.
void storeClosely(const double* exact, std::size_t count, float* rows, std::size_t stride);

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

}  // namespace ulna::motion::detail
