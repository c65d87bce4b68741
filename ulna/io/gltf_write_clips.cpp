// SPDX-License-Identifier: Apache-2.0

// A keyed clip as a glTF animation, key by key where glTF has the curve: steps, lines, and cubics
// with tangents, which Catmull–Rom curves of vectors are in other words. Curves of rotations that
// it has not become cubics of their components that keep to them, every key kept.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ulna/io/detail/gltf_writer.h"

namespace ulna::io::detail {
namespace {

// How far a rotation may be from its curve between keys, in radians: what floats leave of an angle
// is a hundredth of it.
constexpr double kFittedTo = 1e-5;
// In one segment; more would be needed only where a joint spins hundreds of times between keys.
constexpr std::size_t kMostPieces = 4096;

// A track as glTF can have it.
template <class V>
struct GltfTrack {
    const char* interpolation = "LINEAR";
    std::vector<Key<V>> keys = {};
};

// Where several keys share a time only the last counts from there on, and the first until there.
// Before the first key there is nothing, and a step has no way towards a key.
template <class V>
void dropHidden(std::vector<Key<V>>& keys, bool step) {
    std::vector<Key<V>> out;
    for (std::size_t begin = 0; begin < keys.size();) {
        std::size_t end = begin + 1;
        while (end < keys.size() && keys[end].time == keys[begin].time) ++end;
        if (end - begin > 1 && begin > 0 && !step) out.push_back(keys[begin]);
        out.push_back(keys[end - 1]);
        begin = end;
    }
    keys = std::move(out);
}

// Catmull–Rom in Hermite's words: the tangents on both sides of every key.
GltfTrack<Vec3> withTangents(const Track<Vec3>& track) {
    GltfTrack<Vec3> out{"CUBICSPLINE", {track.keys().begin(), track.keys().end()}};
    for (std::size_t i = 0; i < out.keys.size(); ++i) {
        Key<Vec3>& key = out.keys[i];
        key.in = key.out = {};
        if (i > 0 && out.keys[i - 1].time < key.time)
            key.in = sampleSegmentRate(track, i - 1, key.time);
        if (i + 1 < out.keys.size() && key.time < out.keys[i + 1].time)
            key.out = sampleSegmentRate(track, i, key.time);
    }
    return out;
}

// A curve of rotations that may jump at its keys, continuous from the right.
struct Curve {
    std::function<Quat(double)> at;
    std::function<Vec3(double)> rate;  // angular velocity in the rotating frame
};

// A rotation and its derivative, component by component.
Key<Quat> keyAt(const Curve& curve, double time) {
    const Quat q = curve.at(time);
    const Vec3 half = curve.rate(time) * 0.5;
    const Quat change = q * Quat{half.x, half.y, half.z, 0.0};
    return {time, q, change, change};
}

// The same rotation on the side of another, so that components may be interpolated.
Key<Quat> nextTo(const Key<Quat>& other, const Key<Quat>& key) {
    if (dot(other.value, key.value) >= 0.0) return key;
    return {key.time, -key.value, -key.in, -key.out};
}

bool keepsTo(const Curve& curve, const Key<Quat>& from, const Key<Quat>& to) {
    const Track<Quat> piece({from, to}, Interpolation::Hermite);
    // Not the middle alone, which a symmetric curve may happen to meet.
    for (const double u : {0.2, 0.5, 0.8}) {
        const double time = from.time + u * (to.time - from.time);
        if (!(angleBetween(sample(piece, time), curve.at(time)) <= kFittedTo)) return false;
    }
    return true;
}

// Cubics between two times, as many as it takes: the ends of each, without the first start.
std::vector<Key<Quat>> fitBetween(const Curve& curve, const Key<Quat>& from, double end,
                                  std::size_t least, bool& missed) {
    std::vector<Key<Quat>> out;
    for (std::size_t pieces = std::max<std::size_t>(least, 1);; pieces *= 2) {
        out.clear();
        bool good = true;
        for (std::size_t i = 1; i <= pieces; ++i) {
            const double u = static_cast<double>(i) / static_cast<double>(pieces);
            // At the end what the curve comes to from the left.
            const double time =
                i == pieces ? std::nextafter(end, from.time) : from.time + (end - from.time) * u;
            const Key<Quat>& before = out.empty() ? from : out.back();
            Key<Quat> key = nextTo(before, keyAt(curve, time));
            if (i == pieces) key.time = end;
            good = good && keepsTo(curve, before, key);
            out.push_back(key);
        }
        missed = !good && pieces >= kMostPieces;
        if (good || missed) return out;
    }
}

// A curve between its key times, which are in order and each once.
GltfTrack<Quat> fitted(GltfWriter& writer, JointId joint, const Curve& curve,
                       const std::vector<double>& times,
                       const std::function<std::size_t(double, double)>& least) {
    GltfTrack<Quat> out{"CUBICSPLINE", {keyAt(curve, times.front())}};
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        bool missed = false;
        const std::vector<Key<Quat>> more =
            fitBetween(curve, out.keys.back(), times[i + 1], least(times[i], times[i + 1]), missed);
        if (missed)
            writer.warn("a joint makes too many revolutions between two keys for glTF",
                        writer.content.skeleton.name(joint));
        out.keys.insert(out.keys.end(), more.begin(), more.end());
        const Key<Quat> right = nextTo(out.keys.back(), keyAt(curve, times[i + 1]));
        if (angleBetween(out.keys.back().value, right.value) > 1e-6)  // beyond rounding: a jump
            out.keys.push_back(right);
        else
            out.keys.back().out = right.out;
    }
    if (times.size() == 1) out.interpolation = "LINEAR";  // a cubic needs two keys
    return out;
}

std::vector<double> timesOf(const AngleTracks& tracks) {
    std::vector<double> out;
    for (const AngleTracks::Rotation& rotation : tracks.rotations) {
        for (const Key<double>& key : rotation.angle.keys()) out.push_back(key.time);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void warnAboutOutside(GltfWriter& writer, JointId joint) {
    writer.warn("glTF holds the end values of a track; loops and extrapolation are left out",
                writer.content.skeleton.name(joint));
}

GltfTrack<Quat> convert(GltfWriter& writer, const AngleTracks& tracks, JointId joint) {
    GltfTrack<Quat> out;
    const std::vector<double> times = timesOf(tracks);
    if (times.empty()) return out;
    const Curve curve{[&](double time) { return sample(tracks, time); },
                      [&](double time) { return sampleRate(tracks, time); }};
    const bool steps = std::all_of(tracks.rotations.begin(), tracks.rotations.end(),
                                   [](const AngleTracks::Rotation& rotation) {
                                       return rotation.angle.keys().size() < 2 ||
                                              rotation.angle.interpolation == Interpolation::Step;
                                   });
    const bool holds = std::all_of(tracks.rotations.begin(), tracks.rotations.end(),
                                   [](const AngleTracks::Rotation& rotation) {
                                       return rotation.angle.keys().size() < 2 ||
                                              rotation.angle.outside == Outside::Hold;
                                   });
    if (!holds) warnAboutOutside(writer, joint);
    if (steps) {
        out.interpolation = "STEP";
        for (const double time : times) out.keys.push_back({time, curve.at(time)});
        return out;
    }
    if (times.size() > 1) {
        writer.warn("glTF has no curves of angles; they become rotations within 1e-5 radians",
                    writer.content.skeleton.name(joint));
    }
    // Segments of less than 90 degrees, so that none hides a revolution.
    return fitted(writer, joint, curve, times, [&](double t0, double t1) {
        double angle = 0.0;
        for (const AngleTracks::Rotation& rotation : tracks.rotations)
            angle += std::abs(sample(rotation.angle, std::nextafter(t1, t0)) -
                              sample(rotation.angle, t0));
        return static_cast<std::size_t>(
            std::clamp(std::ceil(angle / (kPi / 2)), 1.0, static_cast<double>(kMostPieces)));
    });
}

// True when glTF can hold a Hermite curve's values unchanged: it needs unit quaternions.
template <class V>
bool isWritable(const Track<V>& track) {
    if constexpr (std::is_same_v<V, Quat>) {
        return std::all_of(track.keys().begin(), track.keys().end(), [](const Key<Quat>& key) {
            return std::abs(dot(key.value, key.value) - 1.0) < 1e-4;
        });
    } else {
        return true;
    }
}

template <class V>
GltfTrack<V> convert(GltfWriter& writer, const Track<V>& track, JointId joint) {
    GltfTrack<V> out{"LINEAR", {track.keys().begin(), track.keys().end()}};
    const std::string& name = writer.content.skeleton.name(joint);
    if (track.outside != Outside::Hold && out.keys.size() > 1) warnAboutOutside(writer, joint);
    const bool cubic =
        track.interpolation != Interpolation::Step && track.interpolation != Interpolation::Linear;
    if (track.interpolation == Interpolation::Step) {
        out.interpolation = "STEP";
    } else if (cubic && out.keys.size() > 1) {
        if (track.interpolation == Interpolation::Hermite && isWritable(track)) {
            out.interpolation = "CUBICSPLINE";
        } else if constexpr (std::is_same_v<V, Vec3>) {
            out = withTangents(track);
        } else {
            writer.warn(
                "glTF has no such smooth curves of rotations; they are approximated within 1e-5 "
                "radians",
                name);
            std::vector<double> times;
            for (const Key<V>& key : track.keys()) {
                if (times.empty() || times.back() != key.time) times.push_back(key.time);
            }
            const Curve curve{[&](double time) { return sample(track, time); },
                              [&](double time) { return sampleRate(track, time); }};
            out =
                fitted(writer, joint, curve, times, [](double, double) { return std::size_t{1}; });
        }
    }
    dropHidden(out.keys, track.interpolation == Interpolation::Step);
    // A cubic needs two keys.
    if (out.keys.size() == 1) out.interpolation = "LINEAR";
    return out;
}

// ---- numbers

template <class V>
std::vector<float> strictTimes(GltfWriter& writer, const std::vector<Key<V>>& keys, double shift,
                               const std::string& clip) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> out(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        out[i] = static_cast<float>(std::min(keys[i].time + shift, 1e30));
    for (std::size_t i = 1; i < keys.size(); ++i) {
        // A jump is as steep as floats allow: the way towards it ends just before.
        if (keys[i].time == keys[i - 1].time) out[i - 1] = std::nextafter(out[i], 0.0f);
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (out[i] > out[i - 1]) continue;
        out[i] = std::nextafter(out[i - 1], kInfinity);
        writer.warn("keys are too close in time for glTF's floats; they are moved apart", clip);
    }
    return out;
}

bool append(const Vec3& v, std::vector<float>& out) {
    const double numbers[] = {v.x, v.y, v.z};
    out.resize(out.size() + 3);
    return narrow(numbers, 3, out.data() + out.size() - 3);
}
bool append(const Quat& q, std::vector<float>& out) {
    const double numbers[] = {q.x, q.y, q.z, q.w};
    out.resize(out.size() + 4);
    return narrow(numbers, 4, out.data() + out.size() - 4);
}

// The sign does not matter to rotations in themselves; programs that interpolate components want
// neighbours on one side.
void align(std::vector<Key<Quat>>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].value = normalized(keys[i].value);
        if (i > 0 && dot(keys[i].value, keys[i - 1].value) < 0.0) keys[i].value = -keys[i].value;
    }
}
void align(std::vector<Key<Vec3>>&) {}

class ClipPlanner {
  public:
    ClipPlanner(GltfWriter& writer, const KeyedMotion& clip)
        : writer_(writer), clip_(clip), shift_(std::max(0.0, -clip.startTime())) {}

    bool plan() {
        const Skeleton& skeleton = writer_.content.skeleton;
        std::vector<bool> keyed(3 * skeleton.jointCount(), false);
        if (shift_ > 0.0) {
            writer_.warn(
                "glTF has no times before 0; a clip that starts earlier is moved to time 0",
                clip_.name);
        }
        for (const JointTracks& tracks : clip_.joints) {
            const std::size_t at = 3 * index(tracks.joint);
            bool rotation = false;
            if (!add(tracks.joint, "translation", convertIfAny(tracks.translation, tracks.joint)) ||
                !addRotation(tracks, rotation) ||
                !add(tracks.joint, "scale", convertIfAny(tracks.scale, tracks.joint))) {
                return false;
            }
            keyed[at] = !tracks.translation.empty();
            keyed[at + 1] = rotation;
            keyed[at + 2] = !tracks.scale.empty();
        }
        if (!clip_.base.parent_from_joint.empty() && !addBase(keyed)) return false;
        if (channels_.empty()) {
            writer_.warn("a clip without keys is left out", clip_.name);
            return true;
        }
        finish();
        return true;
    }

  private:
    template <class V>
    GltfTrack<V> convertIfAny(const Track<V>& track, JointId joint) {
        return track.empty() ? GltfTrack<V>{} : convert(writer_, track, joint);
    }

    bool addRotation(const JointTracks& tracks, bool& any) {
        GltfTrack<Quat> track;
        if (const auto* whole = std::get_if<Track<Quat>>(&tracks.rotation)) {
            track = convertIfAny(*whole, tracks.joint);
        } else {
            track = convert(writer_, std::get<AngleTracks>(tracks.rotation), tracks.joint);
        }
        any = !track.keys.empty();
        return add(tracks.joint, "rotation", std::move(track));
    }

    // What has no keys but is not at rest either: one key.
    bool addBase(const std::vector<bool>& keyed) {
        for (std::size_t i = 0; i < keyed.size() / 3; ++i) {
            const JointId j = jointId(i);
            const Trs& base = clip_.base[j];
            const Trs& rest = writer_.content.skeleton.rest(j);
            const double start = -shift_;
            const bool rotated = base.rotation != rest.rotation && base.rotation != -rest.rotation;
            if ((!keyed[3 * i] && base.translation != rest.translation &&
                 !add(j, "translation", GltfTrack<Vec3>{"LINEAR", {{start, base.translation}}})) ||
                (!keyed[3 * i + 1] && rotated &&
                 !add(j, "rotation", GltfTrack<Quat>{"LINEAR", {{start, base.rotation}}})) ||
                (!keyed[3 * i + 2] && base.scale != rest.scale &&
                 !add(j, "scale", GltfTrack<Vec3>{"LINEAR", {{start, base.scale}}}))) {
                return false;
            }
        }
        return true;
    }

    template <class V>
    bool add(JointId joint, const char* path, GltfTrack<V> track) {
        if (track.keys.empty()) return true;
        const bool cubic = std::string_view(track.interpolation) == "CUBICSPLINE";
        if (!cubic) align(track.keys);
        const std::size_t offset = values_.size() * sizeof(float);
        bool good = true;
        for (const Key<V>& key : track.keys) {
            if (cubic) good = good && append(key.in, values_);
            good = good && append(key.value, values_);
            if (cubic) good = good && append(key.out, values_);
        }
        if (!good) {
            return writer_.fail("joint '" + writer_.content.skeleton.name(joint) + "': a key of '" +
                                clip_.name + "' has a value too large for a float");
        }
        channels_.push_back(
            {joint, path, track.interpolation,
             writer_.timesAccessor(strictTimes(writer_, track.keys, shift_, clip_.name)), offset,
             track.keys.size() * (cubic ? 3U : 1U), std::is_same_v<V, Quat> ? "VEC4" : "VEC3"});
        return true;
    }

    void finish() {
        const std::size_t view = writer_.addView(std::move(values_), 0);
        GltfAnimation animation;
        for (const Channel& channel : channels_) {
            animation.add(
                channel.joint, channel.path, channel.interpolation, channel.input,
                writer_.addAccessor(view, channel.offset, kGltfFloat, channel.count, channel.type));
        }
        writer_.addAnimation(clip_.name, std::move(animation));
    }

    struct Channel {
        JointId joint;
        const char* path;
        const char* interpolation;
        std::size_t input;
        std::size_t offset;  // of its values
        std::size_t count;
        const char* type;
    };

    GltfWriter& writer_;
    const KeyedMotion& clip_;
    double shift_;
    std::vector<float> values_;
    std::vector<Channel> channels_;
};

}  // namespace

bool planClip(GltfWriter& writer, const KeyedMotion& clip) {
    if (writer.progress && !writer.progress(0.0)) return false;
    return ClipPlanner(writer, clip).plan();
}

}  // namespace ulna::io::detail
