// SPDX-License-Identifier: Apache-2.0

// Track: keys in time, and the curve through them.
//
// A value is a number, a vector or a rotation; the words are the same for all. Keys may come in any
// order and share a time, and may be added, moved and erased at will: the curve is found from the
// keys when it is sampled, so nothing is ever stale. Tracks of a whole skeleton are in
// motion/keyed_motion.h; the fast path for playing them is motion/player.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ulna/math/quat.h"
#include "ulna/math/vec.h"

namespace ulna {

/// How a track gets from key to key.
enum class Interpolation : std::uint8_t {
    Step,        ///< the value stays until the next key
    Linear,      ///< straight; rotations by slerp along the shorter arc
    CatmullRom,  ///< smooth in time through every key, whatever the times; rotations likewise, as
                 ///< a cubic in the logarithm
    UniformCatmullRom,  ///< the textbook's, which takes the keys as evenly spaced: smooth in time
                        ///< only where they are
    Hermite,  ///< a cubic with each key's own tangents, glTF's CUBICSPLINE; rotations component by
              ///< component, then normalised
};
inline constexpr Interpolation kAllInterpolations[] = {
    Interpolation::Step, Interpolation::Linear, Interpolation::CatmullRom,
    Interpolation::UniformCatmullRom, Interpolation::Hermite};

/// "step", "linear", "catmull-rom", "uniform-catmull-rom", "hermite".
[[nodiscard]] std::string_view interpolationName(Interpolation interpolation);

/// What Catmull–Rom takes to lie beyond the first and the last key.
enum class TrackEnds : std::uint8_t {
    Mirrored,    ///< the neighbour mirrored in value and time: straight lines are reproduced
    Duplicated,  ///< the end itself again: half the slope at the ends
};

/// What a track does before its first and after its last key.
enum class Outside : std::uint8_t {
    Hold,         ///< the end's value
    Loop,         ///< the keys again; Catmull–Rom is smooth across the seam where both ends agree
    Extrapolate,  ///< on in the direction and at the speed of the end
};

/// No tangent: all components zero, which is not Quat's default.
template <class V>
inline constexpr V kNoTangent = {};
template <>
inline constexpr Quat kNoTangent<Quat> = {0, 0, 0, 0};

/// A value at a time, in seconds. Tangents are derivatives per second, used by Hermite alone; those
/// of a rotation are of its four components, as in glTF.
template <class V>
struct Key {
    double time = 0.0;
    V value = {};
    V in = kNoTangent<V>;   ///< the tangent the curve arrives with
    V out = kNoTangent<V>;  ///< the tangent it leaves with

    friend bool operator==(const Key&, const Key&) = default;
};

/// What a value changes by in a second: of a rotation, its angular velocity in its own turning
/// frame, in radians.
template <class V>
using Rate = std::conditional_t<std::is_same_v<V, Quat>, Vec3, V>;

/// Keys in order of time, and how they are joined. V is double, Vec3 or Quat.
///
/// Where keys share a time the curve jumps there, and is at the last of them at that very time;
/// Catmull–Rom then ends on one side and begins anew on the other.
template <class V>
class Track {
  public:
    Track() = default;
    /// Keys in any order; those of equal time keep theirs. @pre times and values are finite,
    /// rotations have a length.
    explicit Track(std::vector<Key<V>> keys, Interpolation how = Interpolation::CatmullRom);

    Interpolation interpolation = Interpolation::CatmullRom;
    TrackEnds ends = TrackEnds::Mirrored;
    Outside outside = Outside::Hold;

    [[nodiscard]] bool empty() const { return keys_.empty(); }
    [[nodiscard]] std::span<const Key<V>> keys() const { return keys_; }
    /// The first and the last key's time; 0 without keys.
    [[nodiscard]] double startTime() const { return keys_.empty() ? 0.0 : keys_.front().time; }
    [[nodiscard]] double endTime() const { return keys_.empty() ? 0.0 : keys_.back().time; }

    /// Adds a key, after those of equal time, and returns its index.
    std::size_t insert(const Key<V>& key);
    /// Gives the last key of exactly this time another value, or adds one; returns its index.
    std::size_t set(double time, const V& value);
    /// Moves a key in time and returns its new index. @pre key < keys().size()
    std::size_t move(std::size_t key, double time);
    void erase(std::size_t key);

    friend bool operator==(const Track&, const Track&) = default;

  private:
    std::vector<Key<V>> keys_;
};

/// The value at a time, one key's value everywhere if there is but one; `without_keys` if there is
/// none. A time that is not a number counts as the first key's.
template <class V>
[[nodiscard]] V sample(const Track<V>& track, double time, const V& without_keys = {});

/// The derivative of `sample` by time: at a key that of the curve after it, at the last key before.
template <class V>
[[nodiscard]] Rate<V> sampleRate(const Track<V>& track, double time);

/// The stretch of curve that begins at a key, and its derivative, at a time that counts from any
/// point of it: both ends belong to it, so that limits from the left can be had.
/// @pre segment + 1 < track.keys().size(), and the two keys differ in time.
template <class V>
[[nodiscard]] V sampleSegment(const Track<V>& track, std::size_t segment, double time);
template <class V>
[[nodiscard]] Rate<V> sampleSegmentRate(const Track<V>& track, std::size_t segment, double time);

/// The segment that `time` falls into: the last key at or before it that has a later one, or
/// nothing outside the keys and with fewer than two of them.
template <class V>
[[nodiscard]] std::size_t findSegment(const Track<V>& track, double time);
inline constexpr std::size_t kNoSegment = static_cast<std::size_t>(-1);

}  // namespace ulna
