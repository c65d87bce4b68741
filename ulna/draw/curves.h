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
    double height = 320.0;  ///< of each plot: angles, then offset and scale if they have keys
    /// Keys are drawn only on curves with at most this many keys: a dot at every frame hides a
    /// curve.
    std::size_t most_keys = 200;
};

/// Plots the joint's angles in degrees (in its own order, continuous across 180 degrees), and its
/// offset and scale if they have keys, against time in seconds, with a dot for every key.
[[nodiscard]] std::string drawCurves(const Skeleton& skeleton, const KeyedMotion& motion,
                                     JointId joint, const CurveOptions& options = {});

}  // namespace ulna::draw
