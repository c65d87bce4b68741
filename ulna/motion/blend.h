// SPDX-License-Identifier: Apache-2.0

// Blending: several poses or clips mixed by weights, and differences added on top.
//
// In double, for making motion: rotations are averaged on the sphere, so the order of the layers
// does not matter and two of them give exactly slerp. For many characters every frame see
// motion/player.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/motion/motion.h"

namespace ulna {

/// The rotation nearest to all of these by the weighted squares of the angles: their mean. Equal to
/// slerp for two. @pre as many of both; weights are not negative and not all zero.
[[nodiscard]] Quat meanRotation(std::span<const Quat> rotations, std::span<const double> weights);

struct PoseLayer {
    const Pose* pose = nullptr;
    double weight = 1.0;                         ///< not negative; only the proportions count
    std::span<const double> joint_weights = {};  ///< factors of it, one per joint; empty: all 1
};

/// The weighted mean of poses. A joint that no layer has a weight for is as in the first.
/// @pre at least one layer; all of one skeleton.
[[nodiscard]] Pose blendPoses(std::span<const PoseLayer> layers);

/// What takes `reference` to `pose`, joint by joint: the turn in the reference's own frame, the
/// shift, the ratio of the scales (1 where the reference's is zero).
[[nodiscard]] Pose poseDifference(const Pose& reference, const Pose& pose);

/// Adds a share of a difference to a pose: all of it at weight 1, taken off at -1.
void addDifference(const Pose& difference, double weight, std::span<const double> joint_weights,
                   Pose& pose);

struct MotionLayer {
    const Motion* motion = nullptr;
    double weight = 1.0;
    std::vector<double> joint_weights = {};
    /// Adds the clip's difference from its own first pose to the blend of the others, `weight`
    /// being how much of it. A blend needs at least one layer that is not additive.
    bool additive = false;
};

struct BlendOptions {
    double frame_time = 0.0;  ///< 0 means the first layer's
    /// Clips of different lengths are played so that they begin and end together, over the weighted
    /// mean of their lengths: what two walks of different pace need. Otherwise each plays at its
    /// own speed and holds its end, over the longest of them.
    bool match_lengths = true;
};

/// The blend of clips. An error where they are not of one skeleton, a layer is empty or all weights
/// are zero.
[[nodiscard]] Result<Motion> blendMotions(std::span<const MotionLayer> layers,
                                          const BlendOptions& options = {});

}  // namespace ulna
