// SPDX-License-Identifier: Apache-2.0

// One curve by itself: the knots that follow a joint's own track within a tolerance.
//
// This is where the reduction begins; what the joints do to each other is in
// motion/detail/clip_window.h.
#pragma once

#include "ulna/motion/detail/key_curve.h"

namespace ulna::motion::detail {

/// Values of a track at evenly spaced times, from the first frame to the last.
struct TrackSamples {
    std::size_t per_frame = 1;
    CurveSamples values;

    [[nodiscard]] std::size_t size(bool rotates) const {
        return rotates ? values.rotations.size() : values.vectors.size();
    }
};

/// The part of a joint's motion that a curve is to follow: every frame, and between frames by the
/// clip's own interpolation. `track` is the index of the curve's joint in the clip's tracks of that
/// part.
[[nodiscard]] TrackSamples sampleTrack(const Motion& motion, const KeyCurve& curve,
                                       std::size_t track, std::size_t per_frame);

/// The same at one frame, as a knot.
[[nodiscard]] Knot sourceKnot(const Pose& pose, const KeyCurve& curve, std::size_t frame);

/// Places knots, more where the curve is off by more than `tolerance` (radians or units of length),
/// and gives them the values that are best in the sense of least squares. A track that stays within
/// `constant_tolerance` of its mean becomes one knot.
void fitCurve(const TrackSamples& track, double tolerance, double constant_tolerance,
              KeyCurve& curve);

/// Fixes the knots of a curve where the track rotates by nearly half a revolution from a frame to
/// the next: of the two ways round, only the clip's own values are sure to go the clip's.
void fixHalfTurns(const TrackSamples& track, KeyCurve& curve);

}  // namespace ulna::motion::detail
