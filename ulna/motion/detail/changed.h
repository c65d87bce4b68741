// SPDX-License-Identifier: Apache-2.0

// Clips made from clips, pose by pose.
#pragma once

#include <utility>

#include "ulna/motion/motion.h"

namespace ulna::motion::detail {

/// A clip with every pose changed by `change(Pose&)`, which may change what `tracks` hold, and the
/// rest of the base pose alike in every frame.
template <class Change>
[[nodiscard]] Motion changedMotion(const Motion& motion, MotionTracks tracks, Change change) {
    Pose base = motion.base();
    change(base);
    Motion out(std::move(base), motion.frameCount(), motion.frameTime(), std::move(tracks));
    out.name = motion.name;
    Pose pose;
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        motion.getPose(frame, pose);
        change(pose);
        out.setPose(frame, pose);
    }
    return out;
}
template <class Change>
[[nodiscard]] Motion changedMotion(const Motion& motion, Change change) {
    return changedMotion(motion, motion.tracks(), std::move(change));
}

/// The tracks that hold both clips: their own, and what their base poses differ in.
[[nodiscard]] MotionTracks commonTracks(const Motion& a, const Motion& b);

/// A clip of `frames` poses given by `poseAt(frame, Pose&)`, with the name and base of `like`.
template <class PoseAt>
[[nodiscard]] Motion makeMotion(const Motion& like, std::size_t frames, double frame_time,
                                MotionTracks tracks, PoseAt poseAt) {
    Motion out(like.base(), frames, frame_time, std::move(tracks));
    out.name = like.name;
    Pose pose;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        poseAt(frame, pose);
        out.setPose(frame, pose);
    }
    return out;
}

/// Files round the time between frames to six digits or fewer, which a thousand frames add up: a
/// clip that lacks so little of its last frame, as a share of it, has it.
inline constexpr double kRoundedFrame = 0.02;

/// How many frames of a rate fit into a time, both ends included, the last within `slack` of a
/// step; an error where they are over ten million.
[[nodiscard]] Result<std::size_t> frameCountFor(double duration, double frame_time,
                                                double slack = 1e-6);

}  // namespace ulna::motion::detail
