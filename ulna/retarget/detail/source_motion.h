// SPDX-License-Identifier: Apache-2.0

// SourceMotion: what a body does in a clip, in the axes of its ground: y is up.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/retarget/detail/foot_track.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

struct SourceMotion {
    std::size_t frames = 0, width = 0;
    std::vector<Quat> d;                                 ///< frame by frame, per segment
    std::vector<Vec3> centre;                            ///< the middle of the thighs' joints
    FootTracks soles;                                    ///< empty without legs
    std::array<std::vector<Vec3>, 2> shoulders, wrists;  ///< empty without arms
    /// Per frame, the largest angular speed of a joint since the frame before; fingers do not
    /// count.
    std::vector<double> speeds;
    double fastest = 0.0;  ///< of them, without jumps

    [[nodiscard]] std::span<const Quat> at(std::size_t f) const {
        return std::span(d).subspan(f * width, width);
    }
};

/// The largest speed that is no jump between two frames, as after a T-pose in the first frame: no
/// more than three times that of a frame beside it.
struct Fastest {
    double speed = 0.0;
    std::size_t frame = 0;
};
/// @param speeds per frame, since the frame before; the first one does not count
[[nodiscard]] Fastest fastestWithoutJumps(std::span<const double> speeds);

/// @pre the motion is of the skeleton, and has frames.
[[nodiscard]] SourceMotion readSource(const Skeleton& skeleton, const BodySegments& body,
                                      const Motion& motion);

}  // namespace ulna::retarget::detail
