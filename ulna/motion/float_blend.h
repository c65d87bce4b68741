// SPDX-License-Identifier: Apache-2.0

// Blending of float poses at run time: weighted means, masks, additive layers.
//
// Rotations are computed in double and rounded once: the result is within 1e-7 rad of the formulas
// below. Poses come from motion/player.h or from the conversions of FloatPose. For authoring in
// double see motion/blend.h.
#pragma once

#include <span>

#include "ulna/motion/blend_layer.h"

namespace ulna {

/// The weighted mean of the layers, joint by joint.
///
/// Translations and scales: the sum of weight times value, divided by the sum of the weights.
/// Rotations: the sum of weight times quaternion, each with the sign nearer to the first layer's,
/// normalised; for two layers that is nlerp. If the weights of a joint are all zero, or the sum of
/// its quaternions is zero, the joint is as in the first layer. Allocates nothing. `out` may be the
/// pose of a layer.
///
/// @pre there is at least one layer; all poses, and joint_weights if not empty, have as many joints
/// as `out`.
/// @pre weights are finite and not negative.
void blendPoses(std::span<const BlendLayer> layers, FloatPose& out);

/// The difference from `reference` to `pose`, for addLayer: rotation = reference * difference,
/// translation = reference + difference, scale = reference times difference (the difference is 1
/// where the reference's scale is 0).
/// @pre both have the same joints.
[[nodiscard]] FloatPose makeAdditive(const FloatPose& pose, const FloatPose& reference);

/// Adds a difference made by makeAdditive to a pose. The difference is weighted first: its rotation
/// by nlerp from the identity, its translation times the weight, its scale linearly from 1. Weight
/// 1 adds all of it, weight 0 nothing. Allocates nothing.
///
/// @pre layer.pose, and joint_weights if not empty, have as many joints as `pose`; weights are
/// finite and not negative.
void addLayer(const BlendLayer& layer, FloatPose& pose);

}  // namespace ulna
