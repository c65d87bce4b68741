// SPDX-License-Identifier: Apache-2.0

// One curve by itself: the knots that follow a joint's own track within a tolerance.
//
// This is where the reduction begins; what the joints do to each other is in
// motion/detail/clip_window.h.
#pragma once

#include "ulna/motion/detail/key_curve.h"

namespace ulna::detail {

/// Values of a track at evenly spaced times: every frame, and between frames by the clip's own
/// interpolation. Fills the one of the two that the part is made of.
struct TrackSamples {
    std::size_t per_frame = 2;
    CurveSamples values;

    [[nodiscard]] std::size_t size(bool turns) const {
        return turns ? values.rotations.size() : values.vectors.size();
    }
};

/// Places knots, more where the curve is off by more than `tolerance` (radians or units of length),
/// and gives them the values that are best in the sense of least squares. A track that stays within
/// `constant_tolerance` of its mean becomes one knot.
void fitCurve(const TrackSamples& track, double tolerance, double constant_tolerance,
              KeyCurve& curve);

}  // namespace ulna::detail
