// SPDX-License-Identifier: Apache-2.0

// The curves of one joint over time, with their keys, as SVG.
#pragma once

#include <string>

#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::draw {

struct CurveOptions {
    std::string title = {};
    double width = 900.0;   ///< in pixels
    double height = 320.0;  ///< of each plot: angles, then what else of the joint is keyed
    /// Keys are drawn up to so many per curve; a key for every frame only hides the curve.
    std::size_t most_keys = 200;
};

/// Angles of the joint in its own order in degrees, without jumps at half a turn, and its offset
/// and scale where they have keys; value against time in seconds, a dot for every key.
[[nodiscard]] std::string drawCurves(const Skeleton& skeleton, const KeyedMotion& motion,
                                     JointId joint, const CurveOptions& options = {});

}  // namespace ulna::draw
