// SPDX-License-Identifier: Apache-2.0

// Keys of a clip: told, set, moved and erased.
#include <algorithm>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/motion/edit_keys.h"

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
    JointTracks& tracks = tracksOf(joint, object.interpolation, keysOf(object));
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
            keyRotation(*object.skeleton, time, transform, tracks);
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
    readPose(0, object.pose);
    Reader in(numbersOf(object.pose));
    std::vector<JointId> joints(in.size());
    for (JointId& joint : joints) joint = in.joint();
    keyPose(*object.skeleton, time, object.pose, joints, object.interpolation, keysOf(object));
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
    return static_cast<int>(eraseKeysAt(time, epsilon, joint, keysOf(object)));
}

int clipMoveKeysAt(ClipObject& object, JointId joint, double time, double epsilon, double to) {
    return static_cast<int>(moveKeysAt(time, epsilon, to, joint, keysOf(object)));
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
