// SPDX-License-Identifier: Apache-2.0
//
// Catmull–Rom is a cubic Hermite curve whose slope at a key is that of the chord between its
// neighbours in time. Rotations follow the same cubic in the logarithm relative to the segment's
// first key: q(t) = q_0 exp(H(t)). H's end slope goes through the inverse of the exponential's
// derivative, so that the angular velocity, not only its logarithm, is continuous (squad, by
// contrast, is smooth only on evenly spaced keys). The chord of a rotation is the sum of the arcs
// before and after the key: keys up to 180 degrees apart keep their direction.
#include "ulna/motion/track.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/assert.h"

namespace ulna {
namespace {

// A key's value as it is sampled: rotations of files may be longer or shorter than one, which only
// a Hermite curve of their components takes as it is.
double unit(double value) {
    return value;
}
Vec3 unit(const Vec3& value) {
    return value;
}
Quat unit(const Quat& q) {
    constexpr double kRounding = 1e-12;  // as near to one as a product of rotations stays
    return std::abs(dot(q, q) - 1.0) < kRounding ? q : normalized(q);
}

// How far it is from one value to another: the second = the first plus it.
double chord(double from, double to) {
    return to - from;
}
Vec3 chord(const Vec3& from, const Vec3& to) {
    return to - from;
}
Vec3 chord(const Quat& from, const Quat& to) {
    return quatLog(conjugate(unit(from)) * unit(to));
}

double advance(double from, double by) {
    return from + by;
}
Vec3 advance(const Vec3& from, const Vec3& by) {
    return from + by;
}
Quat advance(const Quat& from, const Vec3& by) {
    return from * quatExp(by);
}

// The Hermite basis at u in [0, 1]: of both values, then of both slopes; and its derivative.
struct Basis {
    double p0, p1, m0, m1;
};
Basis basisAt(double u) {
    return {(2 * u - 3) * u * u + 1, (3 - 2 * u) * u * u, ((u - 2) * u + 1) * u, (u - 1) * u * u};
}
Basis basisRateAt(double u) {
    return {6 * (u - 1) * u, 6 * (1 - u) * u, (3 * u - 4) * u + 1, (3 * u - 2) * u};
}

template <class V>
bool same(const V& a, const V& b) {
    return a == b;
}
bool same(const Quat& a, const Quat& b) {
    return a == b || a == -b;
}

// The segments of a track as Hermite curves.
template <class V>
class Curve {
  public:
    explicit Curve(const Track<V>& track) : track_(track), keys_(track.keys()) {}

    [[nodiscard]] double length(std::size_t segment) const {
        return keys_[segment + 1].time - keys_[segment].time;
    }
    [[nodiscard]] Rate<V> chordOf(std::size_t segment) const {
        return chord(keys_[segment].value, keys_[segment + 1].value);
    }

    // Catmull–Rom's slope at key `segment` (end = 0) or the one after (end = 1), per second.
    [[nodiscard]] Rate<V> slope(std::size_t segment, std::size_t end) const {
        const double h = length(segment);
        const Rate<V> here = chordOf(segment);
        const std::size_t beyond = neighbour(segment, end);
        if (beyond == kNoSegment) {
            const double weight = track_.ends == TrackEnds::Mirrored ? 1.0 : 0.5;
            return here * (weight / h);
        }
        const Rate<V> both = here + chordOf(beyond);
        if (track_.interpolation == Interpolation::UniformCatmullRom) return both * (0.5 / h);
        return both * (1.0 / (h + length(beyond)));
    }

  private:
    // The segment on the other side of an end of this one, across the seam of a closed loop too.
    [[nodiscard]] std::size_t neighbour(std::size_t segment, std::size_t end) const {
        const std::size_t last = keys_.size() - 2;
        std::size_t out = kNoSegment;
        if (end == 0 ? segment > 0 : segment < last) {
            out = end == 0 ? segment - 1 : segment + 1;
        } else if (track_.outside == Outside::Loop && last > 0 &&
                   same(keys_.front().value, keys_.back().value)) {
            out = end == 0 ? last : 0;
        }
        // Keys of equal time are a jump: the curve ends there.
        return out != kNoSegment && length(out) > 0.0 ? out : kNoSegment;
    }

    const Track<V>& track_;
    std::span<const Key<V>> keys_;
};

// A smooth rotation segment: its logarithm from the first key as a Hermite curve.
struct LogCurve {
    Vec3 to, out, in;

    LogCurve(const Track<Quat>& track, std::size_t segment) {
        const Curve<Quat> curve(track);
        const double h = curve.length(segment);
        to = curve.chordOf(segment);
        out = curve.slope(segment, 0) * h;
        in = logRate(to, curve.slope(segment, 1)) * h;
    }
    [[nodiscard]] Vec3 at(const Basis& b) const { return to * b.p1 + out * b.m0 + in * b.m1; }
};

// The four components of a Hermite rotation, before they are normalised.
Quat hermiteSum(const Key<Quat>& a, const Key<Quat>& b, double h, const Basis& w) {
    const auto sum = [&](double p0, double m0, double p1, double m1) {
        return w.p0 * p0 + w.p1 * p1 + h * (w.m0 * m0 + w.m1 * m1);
    };
    return {sum(a.value.x, a.out.x, b.value.x, b.in.x), sum(a.value.y, a.out.y, b.value.y, b.in.y),
            sum(a.value.z, a.out.z, b.value.z, b.in.z), sum(a.value.w, a.out.w, b.value.w, b.in.w)};
}

Quat smoothSegment(const Track<Quat>& track, std::size_t i, double u) {
    const auto keys = track.keys();
    if (track.interpolation == Interpolation::Hermite) {
        const double h = keys[i + 1].time - keys[i].time;
        return normalized(hermiteSum(keys[i], keys[i + 1], h, basisAt(u)));
    }
    return unit(keys[i].value) * quatExp(LogCurve(track, i).at(basisAt(u)));
}

Vec3 smoothSegmentRate(const Track<Quat>& track, std::size_t i, double u) {
    const auto keys = track.keys();
    const double h = keys[i + 1].time - keys[i].time;
    if (track.interpolation == Interpolation::Hermite) {
        const Quat sum = hermiteSum(keys[i], keys[i + 1], h, basisAt(u));
        const Quat change = hermiteSum(keys[i], keys[i + 1], h, basisRateAt(u));
        const double length2 = dot(sum, sum);
        if (!(length2 > 0.0)) return {};
        // Only the part of the change perpendicular to the quaternion rotates it.
        return (conjugate(sum) * change).vector() * (2.0 / (length2 * h));
    }
    const LogCurve curve(track, i);
    return angularVelocity(curve.at(basisAt(u)), curve.at(basisRateAt(u))) / h;
}

// Numbers and vectors.
template <class V>
V hermite(const Track<V>& track, std::size_t i, const Basis& w) {
    const auto keys = track.keys();
    const Curve<V> curve(track);
    const double h = curve.length(i);
    const bool own = track.interpolation == Interpolation::Hermite;
    const V out = own ? keys[i].out : curve.slope(i, 0);
    const V in = own ? keys[i + 1].in : curve.slope(i, 1);
    return keys[i].value * w.p0 + keys[i + 1].value * w.p1 + out * (h * w.m0) + in * (h * w.m1);
}
template <class V>
V smoothSegment(const Track<V>& track, std::size_t i, double u) {
    return hermite(track, i, basisAt(u));
}
template <class V>
V smoothSegmentRate(const Track<V>& track, std::size_t i, double u) {
    const auto keys = track.keys();
    return hermite(track, i, basisRateAt(u)) / (keys[i + 1].time - keys[i].time);
}

double between(double a, double b, double u) {
    return a + (b - a) * u;
}
Vec3 between(const Vec3& a, const Vec3& b, double u) {
    return lerp(a, b, u);
}
Quat between(const Quat& a, const Quat& b, double u) {
    return slerp(unit(a), unit(b), u);
}

// A time brought into the keys of a looping track.
template <class V>
double wrapped(const Track<V>& track, double time) {
    const double start = track.startTime();
    const double span = track.endTime() - start;
    double into = std::fmod(time - start, span);
    if (into < 0.0) into += span;
    return std::min(start + into, track.endTime());
}

template <class V>
bool isInside(const Track<V>& track, double time) {
    return time >= track.startTime() && time <= track.endTime();
}

// The first and the last segment of a length; only where the keys span a time.
template <class V>
std::size_t endSegment(const Track<V>& track, bool last) {
    return findSegment(track, last ? track.endTime() : track.startTime());
}

}  // namespace

std::string_view interpolationName(Interpolation interpolation) {
    constexpr std::string_view kNames[] = {"step", "linear", "catmull-rom", "uniform-catmull-rom",
                                           "hermite"};
    return kNames[static_cast<std::size_t>(interpolation)];
}

template <class V>
Track<V>::Track(std::vector<Key<V>> keys, Interpolation how)
    : interpolation(how), keys_(std::move(keys)) {
    const auto earlier = [](const Key<V>& a, const Key<V>& b) { return a.time < b.time; };
    std::stable_sort(keys_.begin(), keys_.end(), earlier);
}

template <class V>
std::size_t Track<V>::insert(const Key<V>& key) {
    const auto at =
        std::upper_bound(keys_.begin(), keys_.end(), key.time,
                         [](double time, const Key<V>& other) { return time < other.time; });
    const auto index = static_cast<std::size_t>(at - keys_.begin());
    keys_.insert(at, key);
    return index;
}

template <class V>
std::size_t Track<V>::set(double time, const V& value) {
    const std::size_t at = insert({time, value});
    if (at == 0 || keys_[at - 1].time != time) return at;
    erase(at);
    keys_[at - 1].value = value;
    return at - 1;
}

template <class V>
std::size_t Track<V>::move(std::size_t key, double time) {
    ULNA_ASSERT(key < keys_.size(), "the track has no such key");
    Key<V> moved = keys_[key];
    moved.time = time;
    erase(key);
    return insert(moved);
}

template <class V>
void Track<V>::erase(std::size_t key) {
    ULNA_ASSERT(key < keys_.size(), "the track has no such key");
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(key));
}

template <class V>
std::size_t findSegment(const Track<V>& track, double time) {
    const auto keys = track.keys();
    if (keys.size() < 2 || !isInside(track, time)) return kNoSegment;
    if (!(track.endTime() > track.startTime())) return kNoSegment;
    const auto later = [](double t, const Key<V>& key) { return t < key.time; };
    auto at = std::upper_bound(keys.begin(), keys.end(), time, later);
    // At the last key: the segment before it, and before others of its time.
    if (at == keys.end()) {
        at = std::lower_bound(keys.begin(), keys.end(), track.endTime(),
                              [](const Key<V>& key, double t) { return key.time < t; });
    }
    return static_cast<std::size_t>(at - keys.begin()) - 1;
}

template <class V>
V sampleSegment(const Track<V>& track, std::size_t segment, double time) {
    const auto keys = track.keys();
    ULNA_ASSERT(segment + 1 < keys.size(), "the track has no such segment");
    const Key<V>& a = keys[segment];
    const Key<V>& b = keys[segment + 1];
    if (track.interpolation == Interpolation::Step) return unit(a.value);
    // Through every key, to the bit.
    if (time == a.time) return unit(a.value);
    if (time == b.time) return unit(b.value);
    const double u = (time - a.time) / (b.time - a.time);
    if (track.interpolation == Interpolation::Linear) return between(a.value, b.value, u);
    return smoothSegment(track, segment, u);
}

template <class V>
Rate<V> sampleSegmentRate(const Track<V>& track, std::size_t segment, double time) {
    const auto keys = track.keys();
    ULNA_ASSERT(segment + 1 < keys.size(), "the track has no such segment");
    if (track.interpolation == Interpolation::Step) return {};
    const double start = keys[segment].time;
    const double h = keys[segment + 1].time - start;
    if (track.interpolation == Interpolation::Linear)
        return chord(keys[segment].value, keys[segment + 1].value) / h;
    return smoothSegmentRate(track, segment, (time - start) / h);
}

template <class V>
V sample(const Track<V>& track, double time, const V& without_keys) {
    const auto keys = track.keys();
    if (keys.empty()) return without_keys;
    if (std::isnan(time)) return unit(keys.front().value);
    const bool spans = track.endTime() > track.startTime();
    if (!isInside(track, time) && spans && std::isfinite(time)) {
        if (track.outside == Outside::Loop) time = wrapped(track, time);
        if (track.outside == Outside::Extrapolate) {
            const bool after = time > track.endTime();
            const Key<V>& end = after ? keys.back() : keys.front();
            const Rate<V> rate = sampleSegmentRate(track, endSegment(track, after), end.time);
            return advance(unit(end.value), rate * (time - end.time));
        }
    }
    if (time < track.startTime()) return unit(keys.front().value);
    if (time >= track.endTime()) return unit(keys.back().value);
    return sampleSegment(track, findSegment(track, time), time);
}

template <class V>
Rate<V> sampleRate(const Track<V>& track, double time) {
    if (!(track.endTime() > track.startTime()) || !std::isfinite(time)) return {};
    if (!isInside(track, time)) {
        if (track.outside == Outside::Hold) return {};
        const bool after = time > track.endTime();
        if (track.outside == Outside::Loop)
            time = wrapped(track, time);
        else
            time = after ? track.endTime() : track.startTime();
    }
    return sampleSegmentRate(track, findSegment(track, time), time);
}

template class Track<double>;
template class Track<Vec3>;
template class Track<Quat>;
template double sample(const Track<double>&, double, const double&);
template Vec3 sample(const Track<Vec3>&, double, const Vec3&);
template Quat sample(const Track<Quat>&, double, const Quat&);
template double sampleRate(const Track<double>&, double);
template Vec3 sampleRate(const Track<Vec3>&, double);
template Vec3 sampleRate(const Track<Quat>&, double);
template double sampleSegment(const Track<double>&, std::size_t, double);
template Vec3 sampleSegment(const Track<Vec3>&, std::size_t, double);
template Quat sampleSegment(const Track<Quat>&, std::size_t, double);
template double sampleSegmentRate(const Track<double>&, std::size_t, double);
template Vec3 sampleSegmentRate(const Track<Vec3>&, std::size_t, double);
template Vec3 sampleSegmentRate(const Track<Quat>&, std::size_t, double);
template std::size_t findSegment(const Track<double>&, double);
template std::size_t findSegment(const Track<Vec3>&, double);
template std::size_t findSegment(const Track<Quat>&, double);

}  // namespace ulna
