// SPDX-License-Identifier: Apache-2.0

// GoalSpan: when a goal of a clip holds, and how it comes and goes.
//
// Outside of its span a goal asks for nothing. Inside, its target goes from what the clip itself
// does to what the goal states, and back at the end: smoothly, so that positions, speeds and
// accelerations have no step. See ik/clip.h, which solves clips with such goals.
#pragma once

#include <cstddef>
#include <optional>

#include "ulna/core/result.h"
#include "ulna/ik/goal.h"

namespace ulna {

struct GoalSpan {
    double first = 0.0;               ///< where it begins
    double last = 0.0;                ///< where it ends, no earlier
    bool frames = false;              ///< whether these are frames, the first being 0; else seconds
    std::optional<double> ease = {};  ///< how long it takes to come, and to go, in the same unit;
                                      ///< usualEase without it. 0: at once

    friend bool operator==(const GoalSpan&, const GoalSpan&) = default;
};

/// A quarter of a span, but 0.25 seconds at most; in the unit of the span.
[[nodiscard]] double usualEase(const GoalSpan& span, double frame_time);

/// What is wrong with a span by itself: an end before its beginning, an ease that is negative or
/// longer than half of it, a number that is not finite. The location is left open.
[[nodiscard]] Status checkSpan(const GoalSpan& span);
/// The same for a clip of so many frames: its span is inside it, to half a frame.
[[nodiscard]] Status checkSpan(const GoalSpan& span, std::size_t frames, double frame_time);

/// How much of a goal holds in a frame: 0 outside of the span and, with ease, at both ends of it; 1
/// where it holds whole; between, a curve whose first two derivatives have no step.
/// @pre checkSpan found nothing.
[[nodiscard]] double shareAt(const GoalSpan& span, std::size_t frame, double frame_time);

/// Whether a goal has a target that can be eased from what a pose does by itself. A posture, a
/// balance and a custom goal have none: of these the weight is eased.
[[nodiscard]] bool canEase(const GoalKind& kind);

/// The goal that a pose meets already: the same with the target that the pose has. What of it a
/// pose cannot tell stays, such as the pole of a straight limb. A goal that cannot be eased stays.
/// @param source where everything is in the pose.
[[nodiscard]] GoalKind metBy(const ModelPose& source, GoalKind kind);

/// A goal between two of one kind and of the same joints, whose targets alone may differ: `from` at
/// share 0, `to` at share 1. Directions, poles and rotations go the shorter way round.
/// @pre canEase(to)
[[nodiscard]] GoalKind eased(const ModelPose& source, const GoalKind& from, const GoalKind& to,
                             double share);

}  // namespace ulna
