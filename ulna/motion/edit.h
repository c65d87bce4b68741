// SPDX-License-Identifier: Apache-2.0

// Cutting and joining clips: trim, join, reverse, change the speed, loop, repeat.
//
// Each makes a new clip and leaves the old one alone. Between frames poses are those of samplePose:
// rotations by slerp, never number by number. Mirroring is in motion/mirror.h, mixing clips in
// motion/blend.h, what the root does in motion/root_motion.h.
#pragma once

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The part of a clip between two times, both ends included, its first pose at time 0. Where
/// `from` is a frame's time its frames are the clip's own, to the bit. Times beyond the clip are
/// brought into it; an error where `from` is after `to`, or either is not a number.
[[nodiscard]] Result<Motion> trimmed(const Motion& motion, double from, double to);

/// Last pose first.
[[nodiscard]] Motion reversed(const Motion& motion);

/// The clip played at another speed, 2 being twice as fast, at its own rate of frames.
/// @pre speed > 0
[[nodiscard]] Result<Motion> atSpeed(const Motion& motion, double speed);

struct JoinOptions {
    double blend = 0.0;  ///< seconds in which the first clip fades into the second
    /// Moves the second clip over the ground, and turns it about `up`, so that its root goes on
    /// from where the first one's is.
    bool carry_root = false;
    Vec3 up = {0, 1, 0};  ///< unit
};

/// One clip, then another, at the first one's rate: without blending, the second begins one frame
/// after the first one ends; with it, they overlap by that time, at most by the shorter clip. An
/// error where they are not of the same skeleton.
[[nodiscard]] Result<Motion> joined(const Skeleton& skeleton, const Motion& first,
                                    const Motion& second, const JoinOptions& options = {});

struct LoopOptions {
    double blend = 0.5;   ///< seconds around the seam in which the poses are bent to meet
    Vec3 up = {0, 1, 0};  ///< unit; how far the root goes over the ground is kept
};

/// The clip with its last pose made its first, so that it plays on without a jump: what is missing
/// is added over half of `blend` before the seam and taken off over half of it after. How far the
/// root goes over the ground and turns about `up` is kept, so that a walk still walks.
[[nodiscard]] Motion looped(const Skeleton& skeleton, const Motion& motion,
                            const LoopOptions& options = {});

/// The clip so many times on end, each time from where the root has got to over the ground. The
/// seam's two poses are one frame: loops made by `looped` run on without a stop. More than ten
/// million frames are refused. @pre times > 0
[[nodiscard]] Result<Motion> repeated(const Skeleton& skeleton, const Motion& motion,
                                      std::size_t times, const Vec3& up = {0, 1, 0});

}  // namespace ulna
