// SPDX-License-Identifier: Apache-2.0

// Track: keys in time, and the curve through them.
//
// A value is a scalar, a vector or a rotation; the interface is the same for all. Keys may be added
// in any order, share a time, be moved and erased: the curve is computed from the keys whenever it
// is sampled, so nothing is ever out of date. Tracks of a whole skeleton are in
// motion/keyed_motion.h; for fast playing see motion/player.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ulna/math/quat.h"
#include "ulna/math/vec.h"

namespace ulna {

/// The curve between two keys.
enum class Interpolation : std::uint8_t {
    Step,        ///< constant until the next key
    Linear,      ///< linear; rotations by slerp along the shorter arc
    CatmullRom,  ///< continuous velocity through every key at any spacing; rotations likewise, as
                 ///< a cubic in the logarithm
    UniformCatmullRom,  ///< the textbook formula, which assumes evenly spaced keys: the velocity is
                        ///< continuous only where they are
    Hermite,  ///< a cubic with tangents given at each key, as glTF's CUBICSPLINE; rotations by
              ///< component, then normalised
};
inline constexpr Interpolation kAllInterpolations[] = {
    Interpolation::Step, Interpolation::Linear, Interpolation::CatmullRom,
    Interpolation::UniformCatmullRom, Interpolation::Hermite};

/// "step", "linear", "catmull-rom", "uniform-catmull-rom", "hermite".
[[nodiscard]] std::string_view interpolationName(Interpolation interpolation);

/// The key that Catmull–Rom assumes beyond the first and the last key.
enum class TrackEnds : std::uint8_t {
    Mirrored,    ///< the neighbour mirrored in value and time: reproduces straight lines
    Duplicated,  ///< the end key again: half the slope at the ends
};

/// The value of a track before its first and after its last key.
enum class Outside : std::uint8_t {
    Hold,         ///< that of the end key
    Loop,         ///< the keys repeat; Catmull–Rom is smooth at the seam if both ends are equal
    Extrapolate,  ///< continues with the velocity at the end key
};

/// A zero tangent. Needed because a default Quat is the identity.
template <class V>
inline constexpr V kNoTangent = {};
template <>
inline constexpr Quat kNoTangent<Quat> = {0, 0, 0, 0};

/// A value at a time in seconds. Tangents are derivatives per second; only Hermite uses them. The
/// tangent of a rotation is the derivative of its four components, as in glTF.
template <class V>
struct Key {
    double time = 0.0;
    V value = {};
    V in = kNoTangent<V>;   ///< the tangent before the key
    V out = kNoTangent<V>;  ///< the tangent after the key

    friend bool operator==(const Key&, const Key&) = default;
};

/// The derivative of a value by time. For a rotation: its angular velocity in the rotating frame,
/// in radians per second.
template <class V>
using Rate = std::conditional_t<std::is_same_v<V, Quat>, Vec3, V>;

/// Keys in order of time, and the curve through them. V is double, Vec3 or Quat.
///
/// Where keys share a time the curve is discontinuous: at that time it has the value of the last of
/// them, and Catmull–Rom treats both sides as ends. Threads may read one at once; one that changes
/// belongs to one thread.
template <class V>
class Track {
  public:
    Track() = default;
    /// Takes keys in any order; keys of equal time stay in the given order.
    /// @pre times and values are finite, quaternions are not zero.
    explicit Track(std::vector<Key<V>> keys, Interpolation how = Interpolation::CatmullRom);

    Interpolation interpolation = Interpolation::CatmullRom;
    TrackEnds ends = TrackEnds::Mirrored;
    Outside outside = Outside::Hold;

    [[nodiscard]] bool empty() const { return keys_.empty(); }
    [[nodiscard]] std::span<const Key<V>> keys() const { return keys_; }
    /// The first and the last key's time; 0 without keys.
    [[nodiscard]] double startTime() const { return keys_.empty() ? 0.0 : keys_.front().time; }
    [[nodiscard]] double endTime() const { return keys_.empty() ? 0.0 : keys_.back().time; }

    /// Adds a key after those of equal time and returns its index.
    std::size_t insert(const Key<V>& key);
    /// Changes the value of the last key at exactly this time, or adds a key; returns its index.
    std::size_t set(double time, const V& value);
    /// Moves a key in time and returns its new index. @pre key < keys().size()
    std::size_t move(std::size_t key, double time);
    void erase(std::size_t key);

    friend bool operator==(const Track&, const Track&) = default;

  private:
    std::vector<Key<V>> keys_;
};

/// The value at a time. A track with one key is constant; without keys the value is `without_keys`.
/// NaN counts as the time of the first key.
template <class V>
[[nodiscard]] V sample(const Track<V>& track, double time, const V& without_keys = {});

/// The derivative of `sample` by time. At a key it is that of the segment after it; at the last
/// key, of the segment before it.
template <class V>
[[nodiscard]] Rate<V> sampleRate(const Track<V>& track, double time);

/// The value and the derivative of one segment, the curve from key `segment` to the next. Both ends
/// belong to it, so that it also gives limits from the left.
/// @pre segment + 1 < track.keys().size(), and the two keys differ in time.
template <class V>
[[nodiscard]] V sampleSegment(const Track<V>& track, std::size_t segment, double time);
template <class V>
[[nodiscard]] Rate<V> sampleSegmentRate(const Track<V>& track, std::size_t segment, double time);

/// The segment that contains `time`: the index of the last key at or before it, if a later key
/// follows. kNoSegment outside the keys, and if there are fewer than two keys.
template <class V>
[[nodiscard]] std::size_t findSegment(const Track<V>& track, double time);
inline constexpr std::size_t kNoSegment = static_cast<std::size_t>(-1);

}  // namespace ulna
