// SPDX-License-Identifier: Apache-2.0

// A curve being reduced: knots on frames, to be moved, added and taken away until few are left.
//
// Time is counted in frames. A curve is straight or Catmull–Rom between its knots exactly as the
// track is that it becomes (motion/track.h); near the curve's values a change of the knots changes
// it linearly, by weights that depend on the knots' times alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ulna/motion/keyed_motion.h"

namespace ulna::motion::detail {

/// A corner is a knot the smooth curve breaks at: straight to the next knot if that is one too. It
/// is written as two keys of the same time.
struct Knot {
    std::size_t frame = 0;
    bool corner = false;
    bool fixed = false;  ///< it has the clip's own value, which must not change
    Vec3 vector = {};    ///< of translations and scales
    Quat rotation = {};  ///< of rotations
};

enum class CurvePart : std::uint8_t { Rotation, Translation, Scale };

struct KeyCurve {
    JointId joint = JointId::None;
    CurvePart part = CurvePart::Rotation;
    bool smooth = true;       ///< Catmull–Rom; otherwise straight
    std::vector<Knot> knots;  ///< in order; one alone is a constant

    [[nodiscard]] bool rotates() const { return part == CurvePart::Rotation; }
    [[nodiscard]] std::size_t keyCount() const;
    /// Values to store: a time and the components for every key.
    [[nodiscard]] std::size_t floatCount() const { return keyCount() * (rotates() ? 5 : 4); }
};

/// How much each of the knots first, first + 1, ... of a curve counts at a time.
struct KnotWeights {
    std::size_t first = 0;
    std::size_t count = 0;
    std::array<double, 4> weight = {};
};

/// The last segment that begins at or before `frame`; 0 before the first knot.
[[nodiscard]] std::size_t segmentAt(const KeyCurve& curve, double frame);
/// The weights on a segment, or of the only knot.
[[nodiscard]] KnotWeights knotWeights(const KeyCurve& curve, std::size_t segment, double frame);

/// The curve at evenly spaced times, in frames. Fills the one of the two that its part is made of.
struct CurveSamples {
    std::vector<Vec3> vectors;
    std::vector<Quat> rotations;
};
void sampleCurve(const KeyCurve& curve, double first, double step, std::size_t count,
                 CurveSamples& out);

/// A knot with the curve's value at a frame.
[[nodiscard]] Knot knotAt(const KeyCurve& curve, std::size_t frame);
/// What the curve would be at an inner knot without it.
[[nodiscard]] Knot withoutKnot(const KeyCurve& curve, std::size_t knot);

/// From the first knot's value to the second's: a difference, or a rotation in the parent's frame.
[[nodiscard]] Vec3 changeBetween(const KeyCurve& curve, const Knot& from, const Knot& to);
/// Changes a knot's value by it.
void changeBy(const KeyCurve& curve, const Vec3& change, Knot& knot);

/// The curve as a track, its values rounded to float if asked.
[[nodiscard]] Track<Quat> toRotationTrack(const KeyCurve& curve, double frame_time, bool rounded);
[[nodiscard]] Track<Vec3> toVectorTrack(const KeyCurve& curve, double frame_time, bool rounded);

}  // namespace ulna::motion::detail
