// SPDX-License-Identifier: Apache-2.0

// Key reduction: from a pose for every frame to few keys, within a distance in model space.
//
// The keys are neither a subset of the frames' values nor fitted track by track: all tracks are
// fitted together to where the skeleton's points are, so that a joint makes up for what the joints
// above it left. That the distance is kept is checked at the end, between frames too.
// For a key at every frame see makeKeyed in motion/keyed_motion.h.
#pragma once

#include "ulna/core/progress.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna {

struct ReduceOptions {
    /// How far a point may be from where the clip has it, in units of length. > 0
    double tolerance = 0.001;
    /// Of every track: Linear, which any player plays and which follows captured motion with as few
    /// keys; or CatmullRom, fewer keys for motion that is smooth at the scale of the tolerance.
    Interpolation interpolation = Interpolation::Linear;
    /// How far beside its bones a clip is measured too, in mean bone lengths, so that turns about a
    /// bone are kept; 0 or more.
    double beside = 0.1;
    /// Of taking keys away and adding those that are missed: fewer are faster, more leave fewer
    /// keys.
    int rounds = 10;
    unsigned threads = 0;  ///< 0: one per core. The result is the same for any number.
};

/// What came of it. Sizes are in numbers to store: a time and the components for every key.
struct ReduceReport {
    std::size_t frames = 0;  ///< of the clip
    std::size_t keys = 0;
    std::size_t floats = 0;
    /// The clip stored plainly: 30 frames a second of ten numbers (translation, rotation, scale)
    /// for every joint; and the same without End Sites, which move nothing.
    double plain_floats = 0.0;
    double plain_floats_without_end_sites = 0.0;
    double worst_error = 0.0;  ///< never above the tolerance
    JointId worst_joint = JointId::None;
    double worst_time = 0.0;
    /// Whether every number of the keys is a float, so that a file of floats loses nothing. Only a
    /// tolerance near their rounding makes it false.
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

/// The clip with few keys, all of them on frames.
///
/// Measured are every joint's origin, the tip of every bone and a point or two beside it, at every
/// frame and at 16 places between frames, against samplePose of the clip: nowhere is the distance
/// above the tolerance. A track that does not move has one key, or none where the base pose says
/// the same; if all stand still, the first joint has a key at both ends, which keeps the length.
///
/// Errors: a tolerance that is not above 0, an interpolation that is neither Linear nor CatmullRom,
/// a clip whose numbers are not finite, a tolerance below what rounding leaves of a key at every
/// frame, and a progress that cancels.
///
/// @pre motion has one transform per joint of skeleton.
[[nodiscard]] Result<ReducedMotion> reduceKeys(const Skeleton& skeleton, const Motion& motion,
                                               const ReduceOptions& options = {},
                                               const Progress& progress = {});

}  // namespace ulna
