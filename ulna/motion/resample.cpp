// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/changed.h"
#include "ulna/motion/motion.h"

namespace ulna {

Result<Motion> resampled(const Motion& motion, double frame_time) {
    if (motion.frameCount() == 0) return Motion(motion.base(), 0, frame_time, motion.tracks());
    const Result<std::size_t> frames =
        motion::detail::frameCountFor(motion.duration(), frame_time, motion::detail::kRoundedFrame);
    if (!frames) return frames.error();
    return motion::detail::makeMotion(
        motion, *frames, frame_time, motion.tracks(), [&](std::size_t frame, Pose& pose) {
            pose = samplePose(motion, static_cast<double>(frame) * frame_time);
        });
}

}  // namespace ulna
