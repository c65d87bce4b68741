// SPDX-License-Identifier: Apache-2.0

// Blending poses, in float, as games do every frame: weighted means, masks, additive layers.
//
// Rotations are computed in double and rounded once: the result is within 1e-7 rad of the formula
// below. Poses come from motion/player.h or from FloatPose's own conversions.
#pragma once

#include <span>

#include "ulna/skeleton/float_pose.h"

namespace ulna {

/// A pose and how much of it.
struct BlendLayer {
    const FloatPose* pose = nullptr;
    float weight = 1.0f;
    std::span<const float> joint_weights = {};  ///< times `weight`, for each joint; none: all 1
};

/// The weighted mean of the layers, joint by joint.
///
/// Translations and scales: the sum of weight times value over the sum of the weights. Rotations:
/// the sum of weight times quaternion, each taken with the sign nearer to the first layer's, made
/// one long; for two layers that is nlerp. Where the weights of a joint are all zero, or the sum of
/// its quaternions is, it is as in the first layer. Allocates nothing. `out` may be a layer's pose.
///
/// @pre there is a layer; all poses, and joint_weights where given, have as many joints as `out`.
/// @pre weights are finite and not negative.
void blendPoses(std::span<const BlendLayer> layers, FloatPose& out);

/// What it takes from `reference` to `pose`, for addLayer: rotation = reference * difference,
/// translation = reference + difference, scale = reference times difference (1 where the
/// reference's is 0).
/// @pre both have the same joints.
[[nodiscard]] FloatPose makeAdditive(const FloatPose& pose, const FloatPose& reference);

/// Adds a difference made by makeAdditive to a pose: all of it at weight 1, nothing at 0. Between
/// them the difference is weighed first: its rotation by nlerp from none, its translation times the
/// weight, its scale linearly from 1. Allocates nothing.
///
/// @pre layer.pose, and joint_weights where given, have as many joints as `pose`; weights are
/// finite and not negative.
void addLayer(const BlendLayer& layer, FloatPose& pose);

}  // namespace ulna
