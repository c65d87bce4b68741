// SPDX-License-Identifier: Apache-2.0

// KeyedMotion: a clip as tracks of keys per joint, sampled at any time.
//
// People make and edit clips in this form, and glTF files hold it. The other form is Motion
// (motion/motion.h), with a pose for every frame at a constant rate. makeSampled and makeKeyed
// convert between the two; motion/reduce.h makes few keys from many frames.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ulna/motion/motion.h"
#include "ulna/motion/track.h"

namespace ulna {

/// A rotation as a product of rotations about fixed axes, each by a keyed angle in radians: Euler
/// angles, hinges, universal joints. Angles may exceed a full revolution.
struct AngleTracks {
    struct Rotation {
        Vec3 axis;  ///< unit vector, in the frame after the rotations before it
        Track<double> angle;
    };
    Quat rest = {};                   ///< before the first rotation
    std::vector<Rotation> rotations;  ///< the result is rest * rotation 0 * rotation 1 * ...
};

[[nodiscard]] Quat sample(const AngleTracks& tracks, double time);
/// The angular velocity in the rotating frame, as for a Track of rotations.
[[nodiscard]] Vec3 sampleRate(const AngleTracks& tracks, double time);

/// The angles of a joint as the skeleton defines them: its axes, their order, its rest rotation,
/// and a track without keys for each angle. There are no rotations for joints that do not rotate
/// and for those whose coordinates are a rotation vector.
[[nodiscard]] AngleTracks makeAngleTracks(const Skeleton& skeleton, JointId joint);

/// The tracks of one joint. A track without keys leaves its component as in the base pose.
struct JointTracks {
    JointId joint = JointId::None;
    Track<Vec3> translation = {};  ///< of parent_from_joint, rest offset included
    std::variant<Track<Quat>, AngleTracks> rotation = {};  ///< rest rotation included
    Track<Vec3> scale = {};
};

struct KeyedMotion {
    std::string name = {};
    Pose base = {};                        ///< the transforms of what has no keys
    std::vector<JointTracks> joints = {};  ///< in any order; each joint at most once

    /// The first and last time of any key; 0 without keys.
    [[nodiscard]] double startTime() const;
    [[nodiscard]] double endTime() const;
    [[nodiscard]] std::size_t keyCount() const;
    /// The tracks of a joint, or null if it has none.
    [[nodiscard]] const JointTracks* find(JointId joint) const;
    [[nodiscard]] JointTracks& at(
        JointId joint);  ///< the tracks of a joint; added if there are none
};

/// The pose at a time. Each track follows its own rule outside its keys.
[[nodiscard]] Pose samplePose(const KeyedMotion& motion, double time);
void samplePose(const KeyedMotion& motion, double time, Pose& pose);

/// The times of all keys, each once, in ascending order.
[[nodiscard]] std::vector<double> keyTimes(const KeyedMotion& motion);

/// Whether every track is linear between keys, as a Motion is between frames.
[[nodiscard]] bool isLinear(const KeyedMotion& motion);

/// A constant frame rate with a frame at every key (within a ten-thousandth of a frame), counted
/// from time 0. If keys are evenly spaced and linear it is their own rate, otherwise the lowest
/// common rate from 24 frames per second on. 0 if there is none up to 1000 frames per second, or if
/// there are fewer than two key times.
[[nodiscard]] double guessFrameRate(const KeyedMotion& motion);

/// The clip from time 0 to its last key at a constant rate. More than ten million frames are an
/// error.
/// @pre frame_time > 0
[[nodiscard]] Result<Motion> makeSampled(const KeyedMotion& motion, double frame_time);

/// A linear key for every frame: samplePose gives the same poses as for the motion.
[[nodiscard]] KeyedMotion makeKeyed(const Motion& motion);

}  // namespace ulna
