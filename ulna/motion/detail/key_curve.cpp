// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/key_curve.h"

#include <algorithm>

namespace ulna::motion::detail {
namespace {

double lengthOf(const KeyCurve& curve, std::size_t segment) {
    return static_cast<double>(curve.knots[segment + 1].frame - curve.knots[segment].frame);
}

// The segment that shares a slope with this one at its beginning (end = 0) or its end (1), if any.
bool hasNeighbour(const KeyCurve& curve, std::size_t segment, std::size_t end) {
    const std::size_t knot = segment + end;
    return knot > 0 && knot + 1 < curve.knots.size() && !curve.knots[knot].corner;
}

// The Hermite basis of both values and both slopes.
struct Basis {
    double p0, p1, m0, m1;
};
Basis basisAt(double u) {
    return {(2 * u - 3) * u * u + 1, (3 - 2 * u) * u * u, ((u - 2) * u + 1) * u, (u - 1) * u * u};
}

// A segment as a cubic, its slopes times its length. Of rotations it is the logarithm from the
// first knot on.
struct Cubic {
    Vec3 from, to, out, in;
    [[nodiscard]] Vec3 at(const Basis& b) const {
        return from * b.p0 + to * b.p1 + out * b.m0 + in * b.m1;
    }
};

Vec3 chordOf(const KeyCurve& curve, std::size_t segment) {
    const Knot& a = curve.knots[segment];
    const Knot& b = curve.knots[segment + 1];
    return curve.rotates() ? quatLog(conjugate(a.rotation) * b.rotation) : b.vector - a.vector;
}

Cubic cubicOf(const KeyCurve& curve, std::size_t segment) {
    const Vec3 chord = chordOf(curve, segment);
    const double h = lengthOf(curve, segment);
    const auto slope = [&](std::size_t end) {
        if (!curve.smooth || !hasNeighbour(curve, segment, end)) return chord;
        const std::size_t beyond = end == 0 ? segment - 1 : segment + 1;
        return (chord + chordOf(curve, beyond)) * (h / (h + lengthOf(curve, beyond)));
    };
    if (curve.rotates())
        return {{}, chord, slope(0), curve.smooth ? logRate(chord, slope(1)) : chord};
    const Vec3& start = curve.knots[segment].vector;
    return {start, start + chord, slope(0), slope(1)};
}

double roundedIf(double value, bool rounded) {
    return rounded ? static_cast<double>(static_cast<float>(value)) : value;
}

template <class V, class Value>
Track<V> toTrack(const KeyCurve& curve, double frame_time, bool rounded, Value value) {
    std::vector<Key<V>> keys;
    keys.reserve(curve.keyCount());
    const std::size_t last = curve.knots.size() - 1;
    for (std::size_t k = 0; k <= last; ++k) {
        const Knot& knot = curve.knots[k];
        const double time = roundedIf(static_cast<double>(knot.frame) * frame_time, rounded);
        keys.push_back({time, value(knot)});
        if (curve.smooth && knot.corner && k > 0 && k < last) keys.push_back(keys.back());
    }
    return Track<V>(std::move(keys),
                    curve.smooth ? Interpolation::CatmullRom : Interpolation::Linear);
}

}  // namespace

std::size_t KeyCurve::keyCount() const {
    std::size_t out = knots.size();
    for (std::size_t k = 1; k + 1 < knots.size() && smooth; ++k) out += knots[k].corner ? 1 : 0;
    return out;
}

std::size_t segmentAt(const KeyCurve& curve, double frame) {
    const auto later = [](double at, const Knot& knot) {
        return at < static_cast<double>(knot.frame);
    };
    const auto& knots = curve.knots;
    const auto at = std::upper_bound(knots.begin(), knots.end(), frame, later);
    const auto found = static_cast<std::size_t>(at - knots.begin());
    const std::size_t last = knots.size() < 2 ? 0 : knots.size() - 2;
    return std::min(found == 0 ? 0 : found - 1, last);
}

KnotWeights knotWeights(const KeyCurve& curve, std::size_t segment, double frame) {
    KnotWeights out;
    out.first = segment;
    if (curve.knots.size() < 2) {
        out.count = 1;
        out.weight[0] = 1.0;
        return out;
    }
    const double h = lengthOf(curve, segment);
    const double u =
        std::clamp((frame - static_cast<double>(curve.knots[segment].frame)) / h, 0.0, 1.0);
    if (!curve.smooth) {
        out.count = 2;
        out.weight = {1.0 - u, u};
        return out;
    }
    const bool before = hasNeighbour(curve, segment, 0);
    const bool after = hasNeighbour(curve, segment, 1);
    const Basis b = basisAt(u);
    std::array<double, 4> w = {0.0, b.p0, b.p1, 0.0};  // of knots segment - 1 ... segment + 2
    const double out_by = before ? b.m0 * h / (h + lengthOf(curve, segment - 1)) : b.m0;
    w[before ? 0 : 1] -= out_by;
    w[2] += out_by;
    const double in_by = after ? b.m1 * h / (h + lengthOf(curve, segment + 1)) : b.m1;
    w[1] -= in_by;
    w[after ? 3 : 2] += in_by;
    if (before) {
        out.first = segment - 1;
        out.weight = w;
    } else {
        out.weight = {w[1], w[2], w[3], 0.0};
    }
    out.count = 2 + (before ? 1U : 0U) + (after ? 1U : 0U);
    return out;
}

void sampleCurve(const KeyCurve& curve, double first, double step, std::size_t count,
                 CurveSamples& out) {
    const bool rotates = curve.rotates();
    if (rotates)
        out.rotations.resize(count);
    else
        out.vectors.resize(count);
    const auto set = [&](std::size_t i, const Knot& knot) {
        if (rotates)
            out.rotations[i] = knot.rotation;
        else
            out.vectors[i] = knot.vector;
    };
    if (curve.knots.size() < 2) {
        for (std::size_t i = 0; i < count; ++i) set(i, curve.knots.front());
        return;
    }
    const std::size_t last = curve.knots.size() - 2;
    std::size_t segment = segmentAt(curve, first);
    Cubic cubic = cubicOf(curve, segment);
    // Along a straight curve each sample is the one before times the same rotation.
    bool follows = false;
    Quat now, onwards;
    for (std::size_t i = 0; i < count; ++i) {
        const double frame = first + step * static_cast<double>(i);
        bool moved = false;
        for (; segment < last && frame >= static_cast<double>(curve.knots[segment + 1].frame);
             ++segment)
            moved = true;
        if (moved) {
            cubic = cubicOf(curve, segment);
            follows = false;
        }
        const Knot& from = curve.knots[segment];
        const double u = std::clamp(
            (frame - static_cast<double>(from.frame)) / lengthOf(curve, segment), 0.0, 1.0);
        if (u == 0.0 || u == 1.0) {
            set(i, u == 0.0 ? from : curve.knots[segment + 1]);
            continue;
        }
        if (!rotates) {
            out.vectors[i] = curve.smooth ? cubic.at(basisAt(u)) : lerp(cubic.from, cubic.to, u);
        } else if (curve.smooth) {
            out.rotations[i] = from.rotation * quatExp(cubic.at(basisAt(u)));
        } else {
            if (!follows) onwards = quatExp(cubic.to * (step / lengthOf(curve, segment)));
            now = follows ? now * onwards : from.rotation * quatExp(cubic.to * u);
            follows = true;
            out.rotations[i] = now;
        }
    }
}

Knot knotAt(const KeyCurve& curve, std::size_t frame) {
    CurveSamples at;
    sampleCurve(curve, static_cast<double>(frame), 1.0, 1, at);
    Knot out;
    out.frame = frame;
    if (curve.rotates())
        out.rotation = at.rotations[0];
    else
        out.vector = at.vectors[0];
    return out;
}

Knot withoutKnot(const KeyCurve& curve, std::size_t knot) {
    // Four knots decide, so the curve may be cut to those around.
    KeyCurve around{curve.joint, curve.part, curve.smooth, {}};
    const std::size_t begin = knot < 2 ? 0 : knot - 2;
    const std::size_t end = std::min(knot + 3, curve.knots.size());
    around.knots.assign(curve.knots.begin() + static_cast<std::ptrdiff_t>(begin),
                        curve.knots.begin() + static_cast<std::ptrdiff_t>(end));
    around.knots.erase(around.knots.begin() + static_cast<std::ptrdiff_t>(knot - begin));
    return knotAt(around, curve.knots[knot].frame);
}

Vec3 changeBetween(const KeyCurve& curve, const Knot& from, const Knot& to) {
    return curve.rotates() ? quatLog(to.rotation * conjugate(from.rotation))
                           : to.vector - from.vector;
}

void changeBy(const KeyCurve& curve, const Vec3& change, Knot& knot) {
    if (curve.rotates())
        knot.rotation = normalized(quatExp(change) * knot.rotation);
    else
        knot.vector += change;
}

Track<Quat> toRotationTrack(const KeyCurve& curve, double frame_time, bool rounded) {
    return toTrack<Quat>(curve, frame_time, rounded, [&](const Knot& knot) {
        const Quat& q = knot.rotation;
        return Quat{roundedIf(q.x, rounded), roundedIf(q.y, rounded), roundedIf(q.z, rounded),
                    roundedIf(q.w, rounded)};
    });
}

Track<Vec3> toVectorTrack(const KeyCurve& curve, double frame_time, bool rounded) {
    return toTrack<Vec3>(curve, frame_time, rounded, [&](const Knot& knot) {
        const Vec3& v = knot.vector;
        return Vec3{roundedIf(v.x, rounded), roundedIf(v.y, rounded), roundedIf(v.z, rounded)};
    });
}

}  // namespace ulna::motion::detail
