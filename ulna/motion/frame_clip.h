// SPDX-License-Identifier: Apache-2.0

// FrameClip: a clip whose frames are computed on demand.
//
// A long clip passes from one file to another in this form, without being in memory as a whole. For
// a clip in memory see motion/motion.h.
#pragma once

#include <functional>
#include <string>

#include "ulna/motion/motion.h"

namespace ulna {

struct FrameClip {
    std::string name = {};
    Pose base = {};  ///< the transforms of joints without a track
    std::size_t frame_count = 0;
    double frame_time = 1.0 / 30.0;
    MotionTracks tracks = {};
    /// parent_from_joint of a joint in a frame. Asking for frames in ascending order is fastest.
    /// Not thread-safe unless the function that made the clip says so.
    std::function<Trs(std::size_t frame, JointId joint)> at = {};

    [[nodiscard]] double timeOf(std::size_t frame) const {
        return static_cast<double>(frame) * frame_time;
    }
};

/// The frames of a motion, which must outlive the result. Thread-safe.
[[nodiscard]] FrameClip framesOf(const Motion& motion);

/// The clip in memory. @param threads how many to use, if clip.at is thread-safe; 0 means one per
/// core.
[[nodiscard]] Motion makeMotion(const FrameClip& clip, unsigned threads = 1);

}  // namespace ulna
