// SPDX-License-Identifier: Apache-2.0
#include "tools/character/clip.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ulna::maker {

double rounded(double value, double step) {
    const double out = std::round(value / step) * step;
    // Through text, so that 0.1 + 0.2 becomes 0.3 and -0 becomes 0.
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", out + 0.0);
    return std::stod(text) + 0.0;
}

void fail(const std::string& what) {
    std::fprintf(stderr, "make_character: %s\n", what.c_str());
    std::exit(1);
}

DofClip makeClip(const Skeleton& skeleton, const std::string& name, std::span<const Pose> poses) {
    Motion motion(restPose(skeleton), poses.size(), kFrameTime, usualTracks(skeleton));
    motion.name = name;
    for (std::size_t i = 0; i < poses.size(); ++i) motion.setPose(i, poses[i]);
    DofClipFit fit = computeDofClip(skeleton, motion);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        DofVector& frame = fit.clip.frames[i];
        for (std::size_t d = 0; d < frame.size(); ++d) {
            frame[d] = skeleton.isAngle(d) ? radians(rounded(degrees(frame[d]), 1e-4))
                                           : rounded(frame[d], 1e-6);
        }
        if (limitExcess(skeleton, frame) > 0.0) {
            DofVector clamped = frame;
            std::string joints;
            for (const JointId j : clampToLimits(skeleton, clamped))
                joints += " " + skeleton.name(j);
            fail(name + ": outside the limits in frame " + std::to_string(i) + ":" + joints);
        }
    }
    if (fit.worst.rotation_residual > 1e-6)
        fail(name + ": cannot be held by " + skeleton.name(fit.worst.rotation_joint));
    return fit.clip;
}

}  // namespace ulna::maker
