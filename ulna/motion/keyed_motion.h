// SPDX-License-Identifier: Apache-2.0

// KeyedMotion: a clip as tracks of keys per joint, sampled at any time.
//
// What a person makes and edits, and what glTF files hold. Motion (motion/motion.h) is the other
// form of a clip: a pose for every frame of a steady rate. From one to the other: makeSampled,
// makeKeyed, and motion/reduce.h for few keys.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/motion/track.h"

namespace ulna {

/// A rotation made of turns, each about an axis of its own by a keyed angle in radians: Euler
/// angles one by one, hinges, universal joints. Angles may go beyond a turn.
struct AngleTracks {
    struct Rotation {
        Vec3 axis;  ///< unit, in the frame left by the turns before it
        Track<double> angle;
    };
    Quat rest = {};                   ///< before the first turn
    std::vector<Rotation> rotations;  ///< rotation = rest * turn 0 * turn 1 * ...
};

[[nodiscard]] Quat sample(const AngleTracks& tracks, double time);
/// In the turning frame, as for a Track of rotations.
[[nodiscard]] Vec3 sampleRate(const AngleTracks& tracks, double time);

/// The angles of a joint as its skeleton has them: its axes, its order, its rest rotation, and one
/// track without keys for each angle. Empty of turns for joints that do not turn, and for those
/// whose coordinates are a rotation vector.
[[nodiscard]] AngleTracks makeAngleTracks(const Skeleton& skeleton, JointId joint);

/// The tracks of one joint. A track without keys leaves its part as it is in the base pose.
struct JointTracks {
    JointId joint = JointId::None;
    Track<Vec3> translation = {};  ///< the whole of parent_from_joint's, rest offset included
    std::variant<Track<Quat>, AngleTracks> rotation = {};  ///< rest rotation included
    Track<Vec3> scale = {};
};

struct KeyedMotion {
    std::string name = {};
    Pose base = {};                        ///< what has no keys
    std::vector<JointTracks> joints = {};  ///< in any order; each joint at most once

    /// The first and last time of any key; 0 without keys.
    [[nodiscard]] double startTime() const;
    [[nodiscard]] double endTime() const;
    [[nodiscard]] std::size_t keyCount() const;
    /// The tracks of a joint, or null.
    [[nodiscard]] const JointTracks* find(JointId joint) const;
    [[nodiscard]] JointTracks& at(JointId joint);  ///< added if there are none
};

/// The pose at a time. Each track follows its own rule outside its keys.
[[nodiscard]] Pose samplePose(const KeyedMotion& motion, double time);
void samplePose(const KeyedMotion& motion, double time, Pose& pose);

/// The times of all keys, each once, in order.
[[nodiscard]] std::vector<double> keyTimes(const KeyedMotion& motion);

/// Whether every track is straight from key to key, as frames are.
[[nodiscard]] bool isLinear(const KeyedMotion& motion);

/// The steady rate whose frames, from 0 on, have every key, within a ten-thousandth of a frame: the
/// keys' own where they are evenly spaced and straight from one to the next; else the slowest in
/// common use, from 24 on, that has them all; 0 if there is none up to 1000 frames a second. Fewer
/// than two key times suggest nothing, hence also 0.
[[nodiscard]] double guessFrameRate(const KeyedMotion& motion);

/// The clip from 0 to its last key at a steady rate. More than ten million frames are refused.
/// @pre frame_time > 0
[[nodiscard]] Result<Motion> makeSampled(const KeyedMotion& motion, double frame_time);

/// A key for every frame, linear: the same clip, sampled to the same poses.
[[nodiscard]] KeyedMotion makeKeyed(const Motion& motion);

}  // namespace ulna
