// SPDX-License-Identifier: Apache-2.0

// Clip: a motion in either of its forms, a pose for every frame (Motion) or tracks of keys
// (KeyedMotion).
//
// Files hold one form or the other. These functions answer what any face of the program asks of a
// clip without knowing which: its name, a pose at a time, its frames at a rate.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "ulna/core/result.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna {

using Clip = std::variant<Motion, KeyedMotion>;

[[nodiscard]] const std::string& nameOf(const Clip& clip);

/// From time 0 to the last frame or key, in seconds.
[[nodiscard]] double durationOf(const Clip& clip);

/// The pose at a time in seconds. A Motion holds its ends; a track of keys follows its own rule.
/// @pre a Motion has frames.
[[nodiscard]] Pose samplePose(const Clip& clip, double time);
void samplePose(const Clip& clip, double time, Pose& pose);

/// Frames per second of keys that lie on the frames of no common rate.
inline constexpr double kUsualFrameRate = 60.0;

/// The rate at which a clip is counted in frames: a Motion's own; of keys the rate that has them
/// all (guessFrameRate), or else kUsualFrameRate.
[[nodiscard]] double frameRateOf(const Clip& clip);

/// What is lost where keys are counted in frames at that rate: keys before time 0, which no frame
/// has, keys between the frames of every common rate, and then the time between the last frame and
/// the last key. `path` is the file named in the warnings.
[[nodiscard]] Warnings frameRateWarnings(const KeyedMotion& keys, const std::string& path);

/// The clip as frames: at `frame_rate` frames per second, or at its own rate where that is 0.
/// More than ten million frames are refused.
[[nodiscard]] Result<Motion> makeFrames(const Clip& clip, double frame_rate = 0.0);

/// Frames of these poses. Lengths that change by less than people notice are kept at rest: they are
/// the rounding of whatever made the poses.
/// @pre poses is not empty; each has one transform per joint.
[[nodiscard]] Motion framesOf(const Skeleton& skeleton, std::span<const Pose> poses,
                              double frame_time);

/// How far joints may be from the motion where keys are made fewer: a thousandth of the height.
[[nodiscard]] double usualReduceTolerance(const Skeleton& skeleton, UpAxis up);

/// Whether a clip has more than eight frames a second, or the tracks that move so many keys on
/// average, as captured motion has. A single key among so many would be a jerk; such a clip is
/// changed by layers (character/layered_clip.h).
[[nodiscard]] bool isDense(const Clip& clip);

/// The clip as keys that people can edit one by one: a copy where its keys are few (isDense);
/// otherwise as few as keep the motion within usualReduceTolerance. Where that cannot be, a key for
/// every frame.
[[nodiscard]] KeyedMotion editableClip(const Skeleton& skeleton, const Clip& clip, UpAxis up);

/// The rate nearest to `frame_rate` at which a duration in seconds is a whole number of frames, at
/// least one; `frame_rate` itself where the duration is 0.
[[nodiscard]] double wholeFrameRate(double duration, double frame_rate);

/// Warns where frames end before the clip that they were made of: its end is cut where the duration
/// is not a whole number of frames. The advice is a rate that keeps all of it (wholeFrameRate).
/// @param duration in seconds, of what the frames should hold.
[[nodiscard]] Warnings cutWarnings(const Motion& frames, double duration);
/// The same for frames at a rate that last `kept` seconds.
[[nodiscard]] Warnings cutWarnings(const std::string& name, double frame_rate, double kept,
                                   double duration);

/// Warns where frames at a rate are not what the keys are: where curves are not straight, or keys
/// lie between the frames.
[[nodiscard]] Warnings samplingWarnings(const KeyedMotion& keys, double frame_rate);

}  // namespace ulna
