// SPDX-License-Identifier: Apache-2.0

// Editing keys over several tracks at once, as people do: a whole pose, all keys of a moment.
//
// One key of one track is set, moved and erased by the track itself (motion/track.h).
#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "ulna/motion/keyed_motion.h"

namespace ulna {

/// Calls `action` with each track of a joint: its translation, its rotation whole or angle by
/// angle, and its scale.
template <class Action>
void forEachTrack(JointTracks& tracks, const Action& action) {
    action(tracks.translation);
    if (auto* whole = std::get_if<Track<Quat>>(&tracks.rotation)) action(*whole);
    if (auto* angles = std::get_if<AngleTracks>(&tracks.rotation))
        for (AngleTracks::Rotation& rotation : angles->rotations) action(rotation.angle);
    action(tracks.scale);
}

/// The tracks of a joint; where it has none, new ones with this interpolation.
[[nodiscard]] JointTracks& tracksOf(JointId joint, Interpolation interpolation,
                                    KeyedMotion& motion);

/// Keys the rotation of a joint: whole, or where it is keyed by angles, as the angles nearest to
/// those that the tracks have at that time.
void keyRotation(const Skeleton& skeleton, double time, const Trs& parent_from_joint,
                 JointTracks& tracks);

/// Keys joints as they are in a pose: their rotations; the translations of joints that translate,
/// and translations and scales that have keys or are not those of the base pose. New tracks have
/// the interpolation.
/// @pre pose has one transform per joint of skeleton.
void keyPose(const Skeleton& skeleton, double time, const Pose& pose,
             std::span<const JointId> joints, Interpolation interpolation, KeyedMotion& motion);

/// Moves or erases the keys within `tolerance` seconds of a time, of one joint or with
/// JointId::None of all, and returns how many these are.
std::size_t moveKeysAt(double time, double tolerance, double to, JointId joint,
                       KeyedMotion& motion);
std::size_t eraseKeysAt(double time, double tolerance, JointId joint, KeyedMotion& motion);

}  // namespace ulna
