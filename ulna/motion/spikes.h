// SPDX-License-Identifier: Apache-2.0

// Spikes and jumps: frames of a clip in which a joint is somewhere else for no reason.
//
// A spike is a few frames that leave the motion around them and return to it, as swapped or lost
// markers make; it is repaired by the motion around it. A jump does not return: a cut, or a T-pose
// before the motion begins. Fast motions are neither, since what is before and after foretells
// them. For noise in every frame see motion/smooth.h; for feet see retarget/clean.h.
//
//     const std::vector<Spike> found = findSpikes(skeleton, motion);
//     const Motion repaired = withoutSpikes(motion, found);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

enum class SpikeKind : std::uint8_t {
    Spike,  ///< leaves the motion, and returns
    Jump,   ///< a step between two frames that no motion around it explains
};

struct Spike {
    SpikeKind kind = SpikeKind::Spike;
    JointId joint = JointId::None;
    bool translated = false;  ///< whether the joint's translation is meant; otherwise its rotation
    std::size_t first = 0;    ///< the first frame of a spike; of a jump, the frame after the step
    std::size_t last = 0;     ///< the last frame of a spike; of a jump, the same as the first
    double amount = 0.0;      ///< how far off at most, or how long the step is: radians or a length

    friend bool operator==(const Spike&, const Spike&) = default;
};

struct SpikeOptions {
    double rotation = 0.3;       ///< radians: what is off by less is no spike
    double translation = 0.03;   ///< the same of translations, in body sizes (skeleton/size.h)
    std::size_t frames = 3;      ///< what lasts longer is motion
    double factor = 5.0;         ///< how many times more than usual a spike is off
    double window = 0.25;        ///< seconds before and after, from which the usual is learned
    double jump = 0.6;           ///< radians: shorter steps are no jumps
    double jump_distance = 0.1;  ///< the same of translations, in body sizes
};

/// Finds the spikes and jumps of every track of a clip, by first frame, then joint.
///
/// Every frame is compared with the median of the frames around it. What stands out by several
/// median deviations is compared with the curve through the frames before and after: a spike is off
/// that curve in each of its frames, while its neighbours are on theirs. The first frame and the
/// last one are no spikes, since nothing is before or after them.
/// @pre the motion is of the skeleton.
[[nodiscard]] std::vector<Spike> findSpikes(const Skeleton& skeleton, const Motion& motion,
                                            const SpikeOptions& options = {});

/// The clip with its spikes replaced by the curve through the frames around them. Everything else,
/// jumps too, keeps its bits.
/// @pre the spikes are of this clip.
[[nodiscard]] Motion withoutSpikes(const Motion& motion, std::span<const Spike> spikes);

}  // namespace ulna
