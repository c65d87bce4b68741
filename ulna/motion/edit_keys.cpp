// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/edit_keys.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// Moves the keys near a time, or erases them where no other time is given; says how many.
std::size_t changeKeysAt(double time, double tolerance, std::optional<double> to, JointId joint,
                         KeyedMotion& motion) {
    const auto isNear = [&](const auto& key) { return std::abs(key.time - time) <= tolerance; };
    std::size_t count = 0;
    const auto change = [&](auto& track) {
        auto changed = track;
        // From behind, so that indices before stay; keys are put back in order afterwards.
        for (std::size_t i = track.keys().size(); i-- > 0;)
            if (isNear(track.keys()[i])) changed.erase(i);
        for (auto key : track.keys()) {
            if (!isNear(key)) continue;
            ++count;
            if (!to) continue;
            key.time = *to;
            changed.insert(key);
        }
        track = std::move(changed);
    };
    for (JointTracks& tracks : motion.joints)
        if (joint == JointId::None || tracks.joint == joint) forEachTrack(tracks, change);
    return count;
}

}  // namespace

JointTracks& tracksOf(JointId joint, Interpolation interpolation, KeyedMotion& motion) {
    if (motion.find(joint) != nullptr) return motion.at(joint);
    JointTracks& made = motion.at(joint);
    forEachTrack(made, [&](auto& track) { track.interpolation = interpolation; });
    return made;
}

void keyRotation(const Skeleton& skeleton, double time, const Trs& parent_from_joint,
                 JointTracks& tracks) {
    if (auto* whole = std::get_if<Track<Quat>>(&tracks.rotation)) {
        whole->set(time, parent_from_joint.rotation);
        return;
    }
    std::vector<AngleTracks::Rotation>& rotations =
        std::get_if<AngleTracks>(&tracks.rotation)->rotations;
    std::vector<double> dofs(skeleton.dofCount(tracks.joint));
    const std::size_t first = dofs.size() - rotations.size();  // a free joint's position precedes
    for (std::size_t i = 0; i < rotations.size(); ++i)
        dofs[first + i] = sample(rotations[i].angle, time);
    computeJointDofs(skeleton, tracks.joint, parent_from_joint, dofs);
    for (std::size_t i = 0; i < rotations.size(); ++i)
        rotations[i].angle.set(time, dofs[first + i]);
}

void keyPose(const Skeleton& skeleton, double time, const Pose& pose,
             std::span<const JointId> joints, Interpolation interpolation, KeyedMotion& motion) {
    for (const JointId joint : joints) {
        JointTracks& tracks = tracksOf(joint, interpolation, motion);
        const Trs& now = pose[joint];
        const Trs& base = motion.base[joint];
        keyRotation(skeleton, time, now, tracks);
        if (skeleton.translates(joint) || !tracks.translation.empty() ||
            now.translation != base.translation)
            tracks.translation.set(time, now.translation);
        if (!tracks.scale.empty() || now.scale != base.scale) tracks.scale.set(time, now.scale);
    }
}

std::size_t moveKeysAt(double time, double tolerance, double to, JointId joint,
                       KeyedMotion& motion) {
    return changeKeysAt(time, tolerance, to, joint, motion);
}

std::size_t eraseKeysAt(double time, double tolerance, JointId joint, KeyedMotion& motion) {
    return changeKeysAt(time, tolerance, std::nullopt, joint, motion);
}

}  // namespace ulna
