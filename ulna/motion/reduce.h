// SPDX-License-Identifier: Apache-2.0

// Key reduction: from a pose for every frame to few keys, within a distance in model space.
//
// The values of the keys are free, and tracks are not fitted one by one: all tracks are fitted
// together to the positions of the skeleton, so that a joint compensates the errors of its
// ancestors. At the end the distance is checked, between frames too. For a key at every frame see
// makeKeyed in motion/keyed_motion.h.
#pragma once

#include "ulna/core/progress.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna {

struct ReduceOptions {
    /// The largest distance of a point from its position in the clip, in units of length; > 0.
    double tolerance = 0.001;
    /// Of every track: Linear, which every player supports and which needs as few keys for captured
    /// motion; or CatmullRom, which needs fewer for motion that is smooth at the tolerance's scale.
    Interpolation interpolation = Interpolation::Linear;
    /// Points beside the bones are measured too, so that rotations about a bone are kept. This is
    /// their distance from the bone, in mean bone lengths; >= 0.
    double beside = 0.1;
    /// Iterations of removing keys and adding those that are missing. Fewer are faster; more give
    /// fewer keys.
    int rounds = 6;
    unsigned threads = 0;  ///< 0: one per core. The result is the same for any number.
};

/// The result in figures. Sizes are in stored values: a time and the components for every key.
struct ReduceReport {
    std::size_t frames = 0;  ///< of the clip
    std::size_t keys = 0;
    std::size_t floats = 0;
    /// The size of the clip without compression: 30 frames per second of ten values (translation,
    /// rotation, scale) for every joint; and the same without End Sites, which move nothing.
    double plain_floats = 0.0;
    double plain_floats_without_end_sites = 0.0;
    double worst_error = 0.0;  ///< never above the tolerance
    JointId worst_joint = JointId::None;
    double worst_time = 0.0;
    /// How many poses of the skeleton the reduction computed: its work, whatever the machine.
    std::size_t poses_computed = 0;
    /// Whether every value of the keys is exactly a float, so that a file of floats loses nothing.
    /// False only if the tolerance is close to the rounding error of floats.
    bool rounded = true;

    [[nodiscard]] double ratio() const {
        return floats == 0 ? 0.0 : plain_floats / static_cast<double>(floats);
    }
    [[nodiscard]] double ratioWithoutEndSites() const {
        return floats == 0 ? 0.0 : plain_floats_without_end_sites / static_cast<double>(floats);
    }
};

struct ReducedMotion {
    KeyedMotion motion;
    ReduceReport report;
};

/// The clip with few keys, all of them at times of frames.
///
/// The measured points are every joint's origin, the tip of every bone, and one or two points
/// beside it. They are compared with samplePose of the clip at every frame and at 16 times between
/// frames: no distance exceeds the tolerance. A track that does not change has one key, or none if
/// the base pose has its value. If nothing moves, the first joint has a key at both ends, which
/// keeps the length of the clip.
///
/// Errors: a tolerance that is not above 0, an interpolation that is neither Linear nor CatmullRom,
/// a clip with values that are not finite, a tolerance below the rounding error of a key at every
/// frame, and a progress that cancels.
///
/// @pre motion has one transform per joint of skeleton.
[[nodiscard]] Result<ReducedMotion> reduceKeys(const Skeleton& skeleton, const Motion& motion,
                                               const ReduceOptions& options = {},
                                               const Progress& progress = {});

}  // namespace ulna
