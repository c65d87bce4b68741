// SPDX-License-Identifier: Apache-2.0

// Keys of a clip: told, set, moved and erased.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

KeyedMotion& keysOf(ClipObject& object) {
    return std::get<KeyedMotion>(object.clip);
}

bool hasKeys(const JointTracks& tracks, bool whole) {
    if (const auto* rotation = std::get_if<Track<Quat>>(&tracks.rotation))
        return whole && !rotation->empty();
    const auto& angles = std::get<AngleTracks>(tracks.rotation);
    return !whole && std::any_of(angles.rotations.begin(), angles.rotations.end(),
                                 [](const AngleTracks::Rotation& t) { return !t.angle.empty(); });
}

// Calls `action` with the track of a part; says whether there is one.
template <class Action>
bool withTrack(JointTracks& tracks, Part part, const Action& action) {
    if (part == Part::Translation) {
        action(tracks.translation);
    } else if (part == Part::Scale) {
        action(tracks.scale);
    } else if (part == Part::Rotation) {
        auto* rotation = std::get_if<Track<Quat>>(&tracks.rotation);
        if (rotation == nullptr) return false;
        action(*rotation);
    } else {
        auto* angles = std::get_if<AngleTracks>(&tracks.rotation);
        const std::size_t turn = static_cast<std::size_t>(part) - std::size_t{3};
        if (angles == nullptr || turn >= angles->rotations.size()) return false;
        action(angles->rotations[turn].angle);
    }
    return true;
}

template <class Action>
void forEachTrack(JointTracks& tracks, const Action& action) {
    for (const Part part : kParts) withTrack(tracks, part, action);
}

template <class Action>
void forJoints(KeyedMotion& motion, JointId joint, const Action& action) {
    for (JointTracks& tracks : motion.joints)
        if (joint == JointId::None || tracks.joint == joint) action(tracks);
}

template <class V>
void putValue(const V& value) {
    putBytes(&value, sizeof value);
}

template <class V>
std::vector<double> coordinatesOf(const V& value) {
    const auto* first = reinterpret_cast<const double*>(&value);
    return {first, first + sizeof(V) / sizeof(double)};
}

template <class V>
V readValue(Reader& in) {
    V value = {};
    const std::span<const double> numbers = in.numbers(sizeof(V) / sizeof(double));
    std::copy(numbers.begin(), numbers.end(), reinterpret_cast<double*>(&value));
    return value;
}

// Tracks of a joint, new ones with the clip's way from key to key.
JointTracks& tracksOf(ClipObject& object, JointId joint) {
    KeyedMotion& motion = keysOf(object);
    if (motion.find(joint) != nullptr) return motion.at(joint);
    JointTracks& made = motion.at(joint);
    forEachTrack(made, [&](auto& track) { track.interpolation = object.interpolation; });
    return made;
}

// The angles of a rotation, near to those the tracks have at that time.
void setAngles(const Skeleton& skeleton, JointId joint, double time, const Trs& transform,
               AngleTracks& angles) {
    std::vector<double> dofs(skeleton.dofCount(joint));
    const std::size_t first =
        dofs.size() - angles.rotations.size();  // a free joint's position precedes
    for (std::size_t i = 0; i < angles.rotations.size(); ++i)
        dofs[first + i] = sample(angles.rotations[i].angle, time);
    computeJointDofs(skeleton, joint, transform, dofs);
    for (std::size_t i = 0; i < angles.rotations.size(); ++i)
        angles.rotations[i].angle.set(time, dofs[first + i]);
}

void keyRotation(const Skeleton& skeleton, JointTracks& tracks, double time, const Trs& transform) {
    if (auto* rotation = std::get_if<Track<Quat>>(&tracks.rotation)) {
        rotation->set(time, transform.rotation);
    } else {
        setAngles(skeleton, tracks.joint, time, transform, std::get<AngleTracks>(tracks.rotation));
    }
}

// Moves the keys near a time, or erases them where no other time is given; says how many.
int changeKeysAt(ClipObject& object, JointId joint, double time, double epsilon,
                 std::optional<double> to) {
    const auto isNear = [&](const auto& key) { return std::abs(key.time - time) <= epsilon; };
    int count = 0;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        forEachTrack(tracks, [&](auto& track) {
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
        });
    });
    return count;
}

}  // namespace

TracksReply clipTracks(ClipObject& object, JointId joint) {
    TracksReply out;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        for (const Part part : kParts) {
            withTrack(tracks, part, [&](const auto& track) {
                if (track.empty()) return;
                TrackReply& told = out.tracks.emplace_back();
                told = {.joint = tracks.joint, .part = part, .interpolation = track.interpolation};
                for (const auto& key : track.keys())
                    told.keys.push_back({.time = key.time,
                                         .value = coordinatesOf(key.value),
                                         .in = coordinatesOf(key.in),
                                         .out = coordinatesOf(key.out)});
            });
        }
    });
    return out;
}

void clipKeyTimes(ClipObject& object, JointId joint) {
    std::vector<double> times;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        forEachTrack(tracks, [&](const auto& track) {
            for (const auto& key : track.keys()) times.push_back(key.time);
        });
    });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    clearReply();
    putArray(times);
}

/// Nothing where there is no such track.
void clipSampleTrack(ClipObject& object, JointId joint, Part part, double from, double to,
                     std::size_t count) {
    clearReply();
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        withTrack(tracks, part, [&](const auto& track) {
            if (track.empty()) return;
            for (std::size_t i = 0; i < count; ++i) {
                const double share =
                    count < 2 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
                putValue(sample(track, from + (to - from) * share));
            }
        });
    });
}

/// In the input: the value, whether there are tangents, then those. The key's index, or -1 where
/// the joint has no such part.
int clipSetKey(ClipObject& object, JointId joint, Part part, double time) {
    JointTracks& tracks = tracksOf(object, joint);
    if (part >= Part::Angle0 && !hasKeys(tracks, true) &&
        std::holds_alternative<Track<Quat>>(tracks.rotation)) {
        AngleTracks angles = makeAngleTracks(*object.skeleton, joint);
        for (AngleTracks::Rotation& turn : angles.rotations)
            turn.angle.interpolation = object.interpolation;
        if (!angles.rotations.empty()) tracks.rotation = std::move(angles);
    }
    if (part == Part::Rotation && std::holds_alternative<AngleTracks>(tracks.rotation)) {
        if (hasKeys(tracks, false)) {
            Reader in;
            Trs transform = object.skeleton->rest(joint);
            transform.rotation = normalized(in.quat());
            setAngles(*object.skeleton, joint, time, transform,
                      std::get<AngleTracks>(tracks.rotation));
            return 0;
        }
        Track<Quat> whole;
        whole.interpolation = object.interpolation;
        tracks.rotation = whole;
    }
    int index = -1;
    withTrack(tracks, part, [&](auto& track) {
        Reader in;
        using V = std::decay_t<decltype(track.keys()[0].value)>;
        auto key = Key<V>{time, readValue<V>(in)};
        if constexpr (std::is_same_v<V, Quat>) key.value = normalized(key.value);
        const bool tangents = in.flag();
        std::size_t at = track.set(time, key.value);
        if (tangents) {
            key.in = readValue<V>(in);
            key.out = readValue<V>(in);
            track.erase(at);
            at = track.insert(key);
        }
        index = static_cast<int>(at);
    });
    return index;
}

/// In the input: the pose, how many joints, and these.
void clipKeyPose(ClipObject& object, double time) {
    const Skeleton& skeleton = *object.skeleton;
    readPose(0, object.pose);
    Reader in(skeleton.jointCount() * kPoseStride);
    const std::size_t count = in.size();
    for (std::size_t i = 0; i < count; ++i) {
        const JointId joint = in.joint();
        JointTracks& tracks = tracksOf(object, joint);
        const Trs& transform = object.pose[joint];
        const Trs& base = keysOf(object).base[joint];
        keyRotation(skeleton, tracks, time, transform);
        if (skeleton.translates(joint) || !tracks.translation.empty() ||
            transform.translation != base.translation)
            tracks.translation.set(time, transform.translation);
        if (!tracks.scale.empty() || transform.scale != base.scale)
            tracks.scale.set(time, transform.scale);
    }
}

/// The key's new index, or -1 where there is no such key.
int clipMoveKey(ClipObject& object, JointId joint, Part part, std::size_t key, double time) {
    int index = -1;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        withTrack(tracks, part, [&](auto& track) {
            if (key < track.keys().size()) index = static_cast<int>(track.move(key, time));
        });
    });
    return index;
}

bool clipEraseKey(ClipObject& object, JointId joint, Part part, std::size_t key) {
    bool erased = false;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        withTrack(tracks, part, [&](auto& track) {
            if (key >= track.keys().size()) return;
            track.erase(key);
            erased = true;
        });
    });
    return erased;
}

int clipEraseKeysAt(ClipObject& object, JointId joint, double time, double epsilon) {
    return changeKeysAt(object, joint, time, epsilon, std::nullopt);
}

int clipMoveKeysAt(ClipObject& object, JointId joint, double time, double epsilon, double to) {
    return changeKeysAt(object, joint, time, epsilon, to);
}

/// New tracks follow the interpolation that was set for all.
void clipInterpolate(ClipObject& object, JointId joint, std::optional<Part> part,
                     Interpolation interpolation) {
    const auto set = [&](auto& track) { track.interpolation = interpolation; };
    if (joint == JointId::None && !part) object.interpolation = interpolation;
    forJoints(keysOf(object), joint, [&](JointTracks& tracks) {
        if (part) {
            withTrack(tracks, *part, set);
        } else {
            forEachTrack(tracks, set);
        }
    });
}

}  // namespace ulna::engine
