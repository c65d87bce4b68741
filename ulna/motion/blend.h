// SPDX-License-Identifier: Apache-2.0

// Blending: weighted means of poses and clips, and additive layers.
//
// This is the exact version in double, for authoring: rotations are averaged on the sphere, so the
// order of the layers does not matter, and two layers give exactly slerp. For many characters every
// frame see motion/float_blend.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/motion/motion.h"

namespace ulna {

/// The mean rotation: it minimises the weighted sum of squared angles to all rotations. For two
/// rotations it is slerp.
/// @pre rotations and weights have the same size; weights are not negative and not all zero.
[[nodiscard]] Quat meanRotation(std::span<const Quat> rotations, std::span<const double> weights);

struct PoseLayer {
    const Pose* pose = nullptr;
    double weight = 1.0;  ///< not negative; only the ratios between layers count
    std::span<const double> joint_weights = {};  ///< factors of `weight`, one per joint; empty: 1
};

/// The weighted mean of poses. A joint whose weights are all zero is as in the first layer.
/// @pre at least one layer; all of one skeleton.
[[nodiscard]] Pose blendPoses(std::span<const PoseLayer> layers);

/// The difference that takes `reference` to `pose`, joint by joint: the rotation in the reference's
/// own frame, the translation, and the ratio of the scales (1 where the reference's scale is zero).
[[nodiscard]] Pose poseDifference(const Pose& reference, const Pose& pose);

/// Adds `weight` times a difference to a pose: weight 1 adds all of it, -1 subtracts it.
void addDifference(const Pose& difference, double weight, std::span<const double> joint_weights,
                   Pose& pose);

struct MotionLayer {
    const Motion* motion = nullptr;
    double weight = 1.0;
    std::vector<double> joint_weights = {};
    /// Adds `weight` times the clip's difference from its own first pose to the blend of the other
    /// layers. A blend needs at least one layer that is not additive.
    bool additive = false;
};

struct BlendOptions {
    double frame_time = 0.0;  ///< in seconds; 0 means the first layer's
    /// Plays clips of different lengths so that they begin and end together; the result has the
    /// weighted mean of their lengths. Two walks of different speed need this. Otherwise each clip
    /// plays at its own speed and holds its last pose; the result is as long as the longest.
    bool match_lengths = true;
};

/// How long a blend of clips lasts, in seconds, before the end is cut to whole frames.
/// @pre a layer that is not additive has a weight above 0.
[[nodiscard]] double blendedDuration(std::span<const MotionLayer> layers, bool match_lengths);

/// The blend of clips. It is an error if the clips have different numbers of joints, a clip has no
/// frames, or all weights are zero.
[[nodiscard]] Result<Motion> blendMotions(std::span<const MotionLayer> layers,
                                          const BlendOptions& options = {});

}  // namespace ulna
