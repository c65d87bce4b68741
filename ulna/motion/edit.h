// SPDX-License-Identifier: Apache-2.0

// Cutting and joining clips: trim, join, reverse, change the speed, loop, repeat.
//
// Each function returns a new clip. Poses between frames are those of samplePose, with rotations
// by slerp. For mirroring see motion/mirror.h, for blending motion/blend.h, for the motion of the
// root motion/root_motion.h.
#pragma once

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The part of a clip between two times, both ends included; its first pose is at time 0. If `from`
/// is the time of a frame, the result has exactly the clip's frames. Times outside the clip are
/// clamped to it. Where the part is not a whole number of frames, within 2 % of one, what is left
/// at its end is cut off. It is an error if `from` is after `to`, or either is NaN.
/// @param frame_time of the result, if it is above 0.
[[nodiscard]] Result<Motion> trimmed(const Motion& motion, double from, double to,
                                     double frame_time = 0.0);

/// The clip played backwards.
[[nodiscard]] Motion reversed(const Motion& motion);

/// The clip played at another speed (2 is twice as fast), with its own frame rate.
/// @pre speed > 0
[[nodiscard]] Result<Motion> atSpeed(const Motion& motion, double speed);

struct JoinOptions {
    double blend = 0.0;  ///< seconds of the cross-fade from the first clip to the second
    /// Moves the second clip over the ground and rotates it about `up`, so that its root continues
    /// from the last position and heading of the first clip's root.
    bool carry_root = false;
    Vec3 up = {0, 1, 0};  ///< unit vector
};

/// One clip followed by another, at the first one's frame rate. Without blending, the second begins
/// one frame after the first ends; with blending, they overlap by that time, at most by the length
/// of the shorter clip. An end that is less than a frame is cut off. It is an error if they are not
/// of the same skeleton.
[[nodiscard]] Result<Motion> joined(const Skeleton& skeleton, const Motion& first,
                                    const Motion& second, const JoinOptions& options = {});

/// How long two clips last together, in seconds, before the end is cut to whole frames.
[[nodiscard]] double joinedDuration(const Motion& first, const Motion& second,
                                    const JoinOptions& options = {});

struct LoopOptions {
    double blend = 0.5;   ///< seconds around the seam in which poses are corrected
    Vec3 up = {0, 1, 0};  ///< unit vector; normal of the ground
};

/// The clip changed so that its last pose equals its first and it loops without a jump. The
/// difference is faded in over half of `blend` before the seam, and faded out over half of it after
/// the seam. The root's displacement over the ground and its rotation about `up` are kept, so that
/// a walk still moves forward.
[[nodiscard]] Motion looped(const Skeleton& skeleton, const Motion& motion,
                            const LoopOptions& options = {});

/// The clip repeated `times` times; each repetition starts at the ground frame where the last one
/// ended. The last pose of one and the first pose of the next are the same frame, so that loops
/// made by `looped` continue without a pause. More than ten million frames are an error.
/// @pre times > 0
[[nodiscard]] Result<Motion> repeated(const Skeleton& skeleton, const Motion& motion,
                                      std::size_t times, const Vec3& up = {0, 1, 0});

}  // namespace ulna
