// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/changed.h"

#include <cmath>

namespace ulna::motion::detail {

MotionTracks commonTracks(const Motion& a, const Motion& b) {
    MotionTracks differing;
    for (const JointId j : JointRange(0, a.jointCount())) {
        const Trs& x = a.base()[j];
        const Trs& y = b.base()[j];
        if (x.rotation != y.rotation) differing.rotated.push_back(j);
        if (x.translation != y.translation) differing.translated.push_back(j);
        if (x.scale != y.scale) differing.scaled.push_back(j);
    }
    return united(united(a.tracks(), b.tracks()), differing);
}

Result<std::size_t> frameCountFor(double duration, double frame_time, double slack) {
    constexpr double kMostFrames = 1e7;
    if (!(duration / frame_time < kMostFrames))
        return Diagnostic{.what = "the clip would have over ten million frames at this rate"};
    return static_cast<std::size_t>(std::floor(duration / frame_time + slack)) + 1;
}

}  // namespace ulna::motion::detail
