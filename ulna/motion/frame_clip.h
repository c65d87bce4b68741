// SPDX-License-Identifier: Apache-2.0

// FrameClip: a clip of frames that are found when they are asked for.
//
// What a long clip is on its way from one file to another, so that it is not in memory in between.
// For a clip to work with see motion/motion.h.
#pragma once

#include <functional>
#include <string>

#include "ulna/motion/motion.h"

namespace ulna {

struct FrameClip {
    std::string name = {};
    Pose base = {};  ///< what joints without a track keep
    std::size_t frame_count = 0;
    double frame_time = 1.0 / 30.0;
    MotionTracks tracks = {};
    /// parent_from_joint of a joint in a frame. Frames in order are never slower than others; by
    /// one thread at a time unless whoever made it says otherwise.
    std::function<Trs(std::size_t frame, JointId joint)> at = {};

    [[nodiscard]] double timeOf(std::size_t frame) const {
        return static_cast<double>(frame) * frame_time;
    }
};

/// The frames of a motion, which must outlive them. Any number of threads may ask.
[[nodiscard]] FrameClip framesOf(const Motion& motion);

/// All frames found. @param threads how many may ask at once, 0 meaning one per core.
[[nodiscard]] Motion makeMotion(const FrameClip& clip, unsigned threads = 1);

}  // namespace ulna
