// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/clip_bytes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace ulna {
namespace {

constexpr std::string_view kMagic = "ulna clip 1\n";
constexpr std::size_t kMostFrames = 10'000'000;

class Sink {
  public:
    std::string bytes = std::string(kMagic);

    template <class T>
    void raw(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void count(std::size_t n) { raw(static_cast<std::uint64_t>(n)); }
    void text(std::string_view text) {
        count(text.size());
        bytes.append(text);
    }
    void pose(const Pose& pose) {
        count(pose.parent_from_joint.size());
        for (const Trs& at : pose.parent_from_joint) raw(at);
    }
    void joints(const std::vector<JointId>& joints) {
        count(joints.size());
        for (const JointId j : joints) raw(static_cast<std::int32_t>(j));
    }
    template <class V>
    void track(const Track<V>& track) {
        raw(track.interpolation);
        raw(track.ends);
        raw(track.outside);
        count(track.keys().size());
        for (const Key<V>& key : track.keys()) raw(key);
    }
};

// Reads what Sink wrote, from bytes that anybody may have changed. After something that cannot be
// it reads nothing more, and everything is zero.
class Source {
  public:
    Source(std::string_view bytes, const Skeleton& skeleton)
        : left_(bytes), joint_count_(skeleton.jointCount()) {
        if (left_.starts_with(kMagic))
            left_.remove_prefix(kMagic.size());
        else
            fail();
    }

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool done() const { return good_ && left_.empty(); }
    void fail() {
        good_ = false;
        left_ = {};
    }

    template <class T>
    T raw() {
        static_assert(std::is_trivially_copyable_v<T>);
        T out = {};
        if (left_.size() < sizeof out) {
            fail();
            return out;
        }
        std::memcpy(&out, left_.data(), sizeof out);
        left_.remove_prefix(sizeof out);
        return out;
    }
    // Numbers, of which each must be finite.
    template <class T>
    T numbers() {
        static_assert(sizeof(T) % sizeof(double) == 0);
        const T out = raw<T>();
        constexpr std::size_t kSize = sizeof(out);
        std::array<double, kSize / sizeof(double)> values = {};
        std::memcpy(values.data(), &out, kSize);
        for (const double value : values)
            if (!std::isfinite(value)) fail();
        return good_ ? out : T{};
    }
    // Of things that take at least so many bytes each.
    std::size_t count(std::size_t bytes_each) {
        const auto out = raw<std::uint64_t>();
        if (out > left_.size() / bytes_each) fail();
        return good_ ? static_cast<std::size_t>(out) : 0;
    }
    std::string text() {
        const std::size_t size = count(1);
        std::string out(left_.substr(0, size));
        left_.remove_prefix(size);
        return out;
    }
    JointId joint() {
        const auto out = raw<std::int32_t>();
        if (out < 0 || static_cast<std::size_t>(out) >= joint_count_) fail();
        return good_ ? static_cast<JointId>(out) : JointId::None;
    }
    std::vector<JointId> joints() {
        std::vector<JointId> out(count(sizeof(std::int32_t)));
        for (JointId& j : out) j = joint();
        return out;
    }
    Pose pose() {
        Pose out;
        out.parent_from_joint.resize(count(sizeof(Trs)));
        if (out.parent_from_joint.size() != joint_count_) fail();
        for (Trs& at : out.parent_from_joint) at = numbers<Trs>();
        return out;
    }
    template <class E>
    E word(E last) {
        const E out = raw<E>();
        if (out > last) fail();
        return good_ ? out : E{};
    }
    template <class V>
    Track<V> track() {
        const auto how = word(Interpolation::Hermite);
        const auto ends = word(TrackEnds::Duplicated);
        const auto outside = word(Outside::Extrapolate);
        std::vector<Key<V>> keys(count(sizeof(Key<V>)));
        for (Key<V>& key : keys) key = numbers<Key<V>>();
        if (!good_) return {};
        Track<V> out(std::move(keys), how);
        out.ends = ends;
        out.outside = outside;
        return out;
    }

  private:
    std::string_view left_;
    std::size_t joint_count_;
    bool good_ = true;
};

void write(const Motion& motion, Sink& out) {
    out.text(motion.name);
    out.raw(motion.frameTime());
    out.pose(motion.base());
    for (const auto* joints :
         {&motion.tracks().rotated, &motion.tracks().translated, &motion.tracks().scaled})
        out.joints(*joints);
    out.count(motion.frameCount());
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        for (const Quat& q : motion.rotations(f)) out.raw(q);
        for (const Vec3& v : motion.translations(f)) out.raw(v);
        for (const Vec3& v : motion.scales(f)) out.raw(v);
    }
}

Motion readFrames(Source& in) {
    std::string name = in.text();
    const double frame_time = in.numbers<double>();
    Pose pose = in.pose();
    MotionTracks tracks{in.joints(), in.joints(), in.joints()};
    const std::size_t width = tracks.rotated.size() * sizeof(Quat) +
                              (tracks.translated.size() + tracks.scaled.size()) * sizeof(Vec3);
    // Frames of a clip in which nothing moves take no bytes.
    const std::size_t frames =
        width > 0 ? in.count(width) : static_cast<std::size_t>(in.raw<std::uint64_t>());
    if (!(frame_time > 0.0) || frames > kMostFrames) in.fail();
    if (!in.good()) return {};
    Motion out(pose, frames, frame_time, tracks);
    out.name = std::move(name);
    for (std::size_t f = 0; f < frames; ++f) {
        for (const JointId j : tracks.rotated) pose[j].rotation = in.numbers<Quat>();
        for (const JointId j : tracks.translated) pose[j].translation = in.numbers<Vec3>();
        for (const JointId j : tracks.scaled) pose[j].scale = in.numbers<Vec3>();
        out.setPose(f, pose);
    }
    return out;
}

void write(const KeyedMotion& motion, Sink& out) {
    out.text(motion.name);
    out.pose(motion.base);
    out.count(motion.joints.size());
    for (const JointTracks& tracks : motion.joints) {
        out.raw(static_cast<std::int32_t>(tracks.joint));
        out.track(tracks.translation);
        out.track(tracks.scale);
        const auto* angles = std::get_if<AngleTracks>(&tracks.rotation);
        out.raw(static_cast<std::uint8_t>(angles != nullptr));
        if (angles == nullptr) {
            out.track(std::get<Track<Quat>>(tracks.rotation));
            continue;
        }
        out.raw(angles->rest);
        out.count(angles->rotations.size());
        for (const AngleTracks::Rotation& rotation : angles->rotations) {
            out.raw(rotation.axis);
            out.track(rotation.angle);
        }
    }
}

KeyedMotion readKeys(Source& in) {
    KeyedMotion out;
    out.name = in.text();
    out.base = in.pose();
    out.joints.resize(in.count(sizeof(std::int32_t)));
    for (JointTracks& tracks : out.joints) {
        tracks.joint = in.joint();
        tracks.translation = in.track<Vec3>();
        tracks.scale = in.track<Vec3>();
        if (in.raw<std::uint8_t>() == 0) {
            tracks.rotation = in.track<Quat>();
            continue;
        }
        AngleTracks angles;
        angles.rest = in.numbers<Quat>();
        angles.rotations.resize(in.count(sizeof(Vec3)));
        for (AngleTracks::Rotation& rotation : angles.rotations) {
            rotation.axis = in.numbers<Vec3>();
            rotation.angle = in.track<double>();
        }
        tracks.rotation = std::move(angles);
    }
    return out;
}

}  // namespace

std::string clipBytes(const Clip& clip) {
    Sink out;
    out.raw(static_cast<std::uint8_t>(clip.index()));
    std::visit([&](const auto& each) { write(each, out); }, clip);
    return std::move(out.bytes);
}

Result<Clip> clipOfBytes(const Skeleton& skeleton, std::string_view bytes) {
    Source in(bytes, skeleton);
    const auto form = in.raw<std::uint8_t>();
    if (form > 1) in.fail();
    Clip out = form == 0 ? Clip(readFrames(in)) : Clip(readKeys(in));
    if (!in.done()) return Diagnostic{.what = "these are not the bytes of a clip of this skeleton"};
    return out;
}

}  // namespace ulna
