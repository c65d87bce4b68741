// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/frame_clip.h"

#include <algorithm>
#include <limits>

#include "ulna/core/parallel.h"

namespace ulna {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// Where each joint is among those that have a track.
std::vector<std::size_t> entriesOf(const std::vector<JointId>& tracked, std::size_t joints) {
    std::vector<std::size_t> out(joints, kNowhere);
    for (std::size_t i = 0; i < tracked.size(); ++i) out[index(tracked[i])] = i;
    return out;
}

}  // namespace

FrameClip framesOf(const Motion& motion) {
    const std::size_t joints = motion.jointCount();
    const MotionTracks& tracks = motion.tracks();
    FrameClip out{motion.name, motion.base(), motion.frameCount(), motion.frameTime(), tracks};
    out.at = [&motion, rotated = entriesOf(tracks.rotated, joints),
              moved = entriesOf(tracks.translated, joints),
              scaled = entriesOf(tracks.scaled, joints)](std::size_t frame, JointId joint) {
        Trs at = motion.base()[joint];
        const std::size_t i = index(joint);
        if (rotated[i] != kNowhere) at.rotation = motion.rotations(frame)[rotated[i]];
        if (moved[i] != kNowhere) at.translation = motion.translations(frame)[moved[i]];
        if (scaled[i] != kNowhere) at.scale = motion.scales(frame)[scaled[i]];
        return at;
    };
    return out;
}

Motion makeMotion(const FrameClip& clip, unsigned threads) {
    Motion out(clip.base, clip.frame_count, clip.frame_time, clip.tracks);
    out.name = clip.name;
    std::vector<JointId> joints;
    for (const auto& tracked : {clip.tracks.rotated, clip.tracks.translated, clip.tracks.scaled})
        joints.insert(joints.end(), tracked.begin(), tracked.end());
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    constexpr std::size_t kFramesPerChunk = 64;
    parallelFor(clip.frame_count, kFramesPerChunk, threads,
                [&](std::size_t begin, std::size_t end) {
                    Pose pose = clip.base;
                    for (std::size_t frame = begin; frame < end; ++frame) {
                        for (const JointId j : joints) pose[j] = clip.at(frame, j);
                        out.setPose(frame, pose);
                    }
                });
    return out;
}

}  // namespace ulna
