// SPDX-License-Identifier: Apache-2.0
//
// One piece between two keys is exact for nearly all tracks: vectors are cubics, a slerp is a
// rotation at constant speed, Catmull–Rom rotations are cubics in the logarithm, Hermite rotations
// are normalised cubics, and rotations about axes have cubic angles. All lanes of a block are of
// one kind; where neighbouring tracks are of different kinds, all become cubics in the logarithm
// with their own values and angular velocities at the ends. These are compared with the track, and
// halved where the error is too large or the angle is too large for the player's polynomials.
#include "ulna/motion/detail/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::motion::detail {
namespace {

constexpr double kBeginning = -std::numeric_limits<double>::infinity();

bool spans(double start, double end) {
    return end > start;
}
template <class V>
bool spans(const Track<V>& track) {
    return spans(track.startTime(), track.endTime());
}

// The segment of a track between two keys, both ends included.
struct TrackStretch {
    const Track<Quat>& track;
    std::size_t segment;

    [[nodiscard]] Quat value(double time) const { return sampleSegment(track, segment, time); }
    [[nodiscard]] Vec3 rate(double time) const { return sampleSegmentRate(track, segment, time); }
};

// The curve of an angle that holds at `inside`, followed to other times.
double angleAt(const Track<double>& track, double inside, double time) {
    if (track.empty()) return 0.0;
    const bool before = inside < track.startTime();
    if (!before && inside < track.endTime())
        return sampleSegment(track, findSegment(track, inside), time);
    const Key<double>& end = before ? track.keys().front() : track.keys().back();
    if (track.outside != Outside::Extrapolate) return end.value;
    return end.value + sampleRate(track, inside) * (time - end.time);
}
double angleRateAt(const Track<double>& track, double inside, double time) {
    if (inside >= track.startTime() && inside < track.endTime())
        return sampleSegmentRate(track, findSegment(track, inside), time);
    return track.outside == Outside::Extrapolate ? sampleRate(track, inside) : 0.0;
}

// A segment of several rotations on which none of them has a key, both ends included.
struct TurnsStretch {
    const AngleTracks& tracks;
    double inside;

    [[nodiscard]] Quat value(double time) const {
        Quat out = tracks.rest;
        for (const auto& rotation : tracks.rotations)
            out = out * quatFromAxisAngle(rotation.axis, angleAt(rotation.angle, inside, time));
        return out;
    }
    [[nodiscard]] Vec3 rate(double time) const {
        Vec3 out;
        for (const auto& rotation : tracks.rotations) {
            const double angle = angleAt(rotation.angle, inside, time);
            out = rotate(quatFromAxisAngle(rotation.axis, -angle), out) +
                  rotation.axis * angleRateAt(rotation.angle, inside, time);
        }
        return out;
    }
};

// A cubic by its value and its rates at both ends, h apart: its coefficients after the value.
template <class V>
std::array<V, 3> coefficients(double h, const V& change, const V& leave, const V& arrive) {
    const V chord = change * (1.0 / h);
    return {leave, (chord * 3.0 - leave * 2.0 - arrive) * (1.0 / h),
            (leave + arrive - chord * 2.0) * (1.0 / (h * h))};
}

void put(const Vec3& v, std::size_t at, Piece& piece) {
    piece.numbers[at] = v.x;
    piece.numbers[at + 1] = v.y;
    piece.numbers[at + 2] = v.z;
}
Vec3 get(const Piece& piece, std::size_t at) {
    return {piece.numbers[at], piece.numbers[at + 1], piece.numbers[at + 2]};
}

Piece constantPiece(double start, double t0, const Quat& value) {
    Piece out;
    out.start = start;
    out.t0 = t0;
    out.value = value;
    return out;
}
Piece constantPiece(double start, double t0, const Vec3& value) {
    return constantPiece(start, t0, Quat{value.x, value.y, value.z, 0.0});
}

// At steady speed from one rotation to another. It counts from the middle: half the angle.
Piece steadyPiece(double a, double b, const Quat& from, const Quat& to) {
    const Vec3 rotation = quatLog(conjugate(from) * to);
    Piece out = constantPiece(a, 0.5 * (a + b), from * quatExp(rotation * 0.5));
    const Vec3 axis = normalizedOr(rotation, {});
    const Quat across = out.value * Quat{axis.x, axis.y, axis.z, 0.0};
    out.numbers[0] = length(rotation) * (0.5 / (b - a));
    put(across.vector(), 1, out);
    out.numbers[4] = across.w;
    return out;
}
Quat steadyAt(const Piece& piece, double time) {
    const double half = piece.numbers[0] * (time - piece.t0);
    const double c = std::cos(half), s = std::sin(half);
    const Quat& q = piece.value;
    return {q.x * c + piece.numbers[1] * s, q.y * c + piece.numbers[2] * s,
            q.z * c + piece.numbers[3] * s, q.w * c + piece.numbers[4] * s};
}

// The cubic in the logarithm with these rotations and angular velocities at its ends.
Piece cubicPiece(double a, double b, const Quat& from, const Vec3& rate_from, const Quat& to,
                 const Vec3& rate_to) {
    const Vec3 rotation = quatLog(conjugate(from) * to);
    Piece out = constantPiece(a, a, from);
    const auto c =
        coefficients(b - a, rotation * 0.5, rate_from * 0.5, logRate(rotation, rate_to) * 0.5);
    for (std::size_t i = 0; i < 3; ++i) put(c[i], 3 * i, out);
    return out;
}
Vec3 halfVector(const Piece& piece, double time) {
    const double s = time - piece.t0;
    return (get(piece, 0) + (get(piece, 3) + get(piece, 6) * s) * s) * s;
}

// Whether a piece keeps within both bounds, up to `b`.
template <class Segment>
bool follows(const Piece& piece, bool steady, const Segment& segment, double b) {
    constexpr int kChecks = 8;
    const double a = piece.start;
    for (int i = 0; i <= kChecks; ++i) {
        const double time = i == kChecks ? b : a + (b - a) * i / kChecks;
        const Vec3 half =
            steady ? Vec3{piece.numbers[0] * (time - piece.t0), 0, 0} : halfVector(piece, time);
        if (!(length(half) <= kMostHalfAngle)) return false;
        const Quat made = steady ? steadyAt(piece, time) : piece.value * quatExp(half * 2.0);
        if (!(angleBetween(made, normalized(segment.value(time))) <= kPieceTolerance)) return false;
    }
    return true;
}

template <class Segment>
void cut(const Segment& segment, bool steady, double a, double b, int halvings,
         std::vector<Piece>& out) {
    const Quat from = normalized(segment.value(a));
    const Quat to = normalized(segment.value(b));
    const Piece piece = steady ? steadyPiece(a, b, from, to)
                               : cubicPiece(a, b, from, segment.rate(a), to, segment.rate(b));
    const double middle = 0.5 * (a + b);
    // A Hermite rotation may pass through zero, where it jumps: halving must end.
    if (halvings == 0 || !(a < middle && middle < b) || follows(piece, steady, segment, b)) {
        out.push_back(piece);
        return;
    }
    cut(segment, steady, a, middle, halvings - 1, out);
    cut(segment, steady, middle, b, halvings - 1, out);
}
constexpr int kMostHalvings = 12;

// Half of the angles of three rotations as cubics of the time since `a`, and their axes as they are
// there: q T0(x0 + y0) T1(x1 + y1) = q T0(x0) T1(x1) T0'(y0) T1(y1), where T0' rotates about the
// axis of T0 seen from behind T1.
Piece rotatedPiece(const AngleTracks& tracks, double inside, double a, double b) {
    Piece out = constantPiece(a, a, TurnsStretch{tracks, inside}.value(a));
    std::size_t at = out.numbers.size();
    Quat behind;
    for (auto rotation = tracks.rotations.rbegin(); rotation != tracks.rotations.rend();
         ++rotation) {
        const Track<double>& angle = rotation->angle;
        if (angle.empty()) continue;
        at -= 6;
        const double start = angleAt(angle, inside, a);
        put(rotate(conjugate(behind), rotation->axis), at, out);
        const auto c =
            coefficients(b - a, 0.5 * (angleAt(angle, inside, b) - start),
                         0.5 * angleRateAt(angle, inside, a), 0.5 * angleRateAt(angle, inside, b));
        for (std::size_t i = 0; i < 3; ++i) out.numbers[at + 3 + i] = c[i];
        behind = quatFromAxisAngle(rotation->axis, start) * behind;
    }
    return out;
}

void cutRotations(const AngleTracks& tracks, double inside, double a, double b, int halvings,
                  std::vector<Piece>& out) {
    bool near = true;
    for (const auto& rotation : tracks.rotations) {
        constexpr int kChecks = 8;
        const double start = angleAt(rotation.angle, inside, a);
        for (int i = 1; i <= kChecks; ++i) {
            const double angle = angleAt(rotation.angle, inside, a + (b - a) * i / kChecks);
            near = near && std::abs(angle - start) <= 2.0 * kMostHalfAngle;
        }
    }
    const double middle = 0.5 * (a + b);
    if (near || halvings == 0 || !(a < middle && middle < b)) {
        out.push_back(rotatedPiece(tracks, inside, a, b));
        return;
    }
    cutRotations(tracks, inside, a, middle, halvings - 1, out);
    cutRotations(tracks, inside, middle, b, halvings - 1, out);
}

Piece summedPiece(const Key<Quat>& from, const Key<Quat>& to) {
    Piece out = constantPiece(from.time, from.time, from.value);
    const auto component = [&](std::size_t i, double a, double b, double leave, double arrive) {
        const auto c = coefficients(to.time - from.time, b - a, leave, arrive);
        for (std::size_t k = 0; k < 3; ++k) out.numbers[4 * k + i] = c[k];
    };
    component(0, from.value.x, to.value.x, from.out.x, to.in.x);
    component(1, from.value.y, to.value.y, from.out.y, to.in.y);
    component(2, from.value.z, to.value.z, from.out.z, to.in.z);
    component(3, from.value.w, to.value.w, from.out.w, to.in.w);
    return out;
}

Piece vectorPiece(const Track<Vec3>& track, std::size_t segment) {
    const Key<Vec3>& from = track.keys()[segment];
    const Key<Vec3>& to = track.keys()[segment + 1];
    Piece out = constantPiece(from.time, from.time, from.value);
    const double h = to.time - from.time;
    if (track.interpolation == Interpolation::Step) return out;
    if (track.interpolation == Interpolation::Linear) {
        put((to.value - from.value) / h, 0, out);
        return out;
    }
    const auto c =
        coefficients(h, to.value - from.value, sampleSegmentRate(track, segment, from.time),
                     sampleSegmentRate(track, segment, to.time));
    for (std::size_t i = 0; i < 3; ++i) put(c[i], 3 * i, out);
    return out;
}

void addSegment(const Track<Vec3>& track, std::size_t segment, BlockKind, std::vector<Piece>& out) {
    out.push_back(vectorPiece(track, segment));
}
void addSegment(const Track<Quat>& track, std::size_t segment, BlockKind kind,
                std::vector<Piece>& out) {
    const Key<Quat>& from = track.keys()[segment];
    const Key<Quat>& to = track.keys()[segment + 1];
    if (track.interpolation == Interpolation::Step) {
        out.push_back(constantPiece(from.time, from.time, normalized(from.value)));
    } else if (kind == BlockKind::SummedRotation) {
        out.push_back(summedPiece(from, to));
    } else {
        cut(TrackStretch{track, segment}, kind == BlockKind::SteadyRotation, from.time, to.time,
            kMostHalvings, out);
    }
}

Vec3 endValue(const Key<Vec3>& key) {
    return key.value;
}
Quat endValue(const Key<Quat>& key) {
    return normalized(key.value);
}

void extrapolate(const Track<Vec3>& track, Pieces& out) {
    put(sampleRate(track, track.startTime()), 0, out.pieces.front());
    put(sampleRate(track, track.endTime()), 0, out.pieces.back());
}
void extrapolate(const Track<Quat>&, Pieces& out) {
    out.spins = true;
}

template <class V>
Pieces cutKeys(const Track<V>& track, BlockKind kind) {
    const auto keys = track.keys();
    Pieces out;
    out.start = track.startTime();
    out.end = track.endTime();
    out.pieces.push_back(constantPiece(kBeginning, out.start, endValue(keys.front())));
    if (keys.size() == 1) return out;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i)
        if (keys[i + 1].time > keys[i].time) addSegment(track, i, kind, out.pieces);
    out.pieces.push_back(constantPiece(out.end, out.end, endValue(keys.back())));
    if (!spans(track)) return out;
    out.loops = track.outside == Outside::Loop;
    if (track.outside == Outside::Extrapolate) extrapolate(track, out);
    return out;
}

std::vector<double> rotationTimes(const AngleTracks& tracks) {
    std::vector<double> out;
    for (const auto& rotation : tracks.rotations)
        for (const auto& key : rotation.angle.keys()) out.push_back(key.time);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// How the rotations continue together outside their keys.
void chooseOutside(const AngleTracks& tracks, Pieces& out) {
    bool apart = false;
    for (const auto& rotation : tracks.rotations) {
        const Track<double>& angle = rotation.angle;
        if (angle.keys().size() < 2) continue;
        const bool loops = angle.outside == Outside::Loop && spans(angle);
        out.loops = out.loops || loops;
        out.spins = out.spins || (angle.outside == Outside::Extrapolate && spans(angle));
        apart = apart || !loops || angle.startTime() != out.start || angle.endTime() != out.end;
    }
    out.everywhere = out.loops && apart;
}

}  // namespace

BlockKind kindOf(const Track<Vec3>& track) {
    const Interpolation how = track.interpolation;
    return how == Interpolation::Step || how == Interpolation::Linear ? BlockKind::LinearVector
                                                                      : BlockKind::CubicVector;
}

BlockKind kindOf(const Track<Quat>& track) {
    switch (track.interpolation) {
        case Interpolation::Step:
        case Interpolation::Linear:
            return BlockKind::SteadyRotation;
        case Interpolation::CatmullRom:
        case Interpolation::UniformCatmullRom:
            return BlockKind::CubicRotation;
        case Interpolation::Hermite:
            return BlockKind::SummedRotation;
    }
    return BlockKind::CubicRotation;
}

BlockKind kindOf(const AngleTracks& tracks) {
    const auto moving = std::count_if(tracks.rotations.begin(), tracks.rotations.end(),
                                      [](const auto& each) { return !each.angle.empty(); });
    return moving <= 3 ? BlockKind::AxesRotation : BlockKind::CubicRotation;
}

Pieces cutTrack(const Track<Vec3>& track, BlockKind kind) {
    return cutKeys(track, kind);
}

Pieces cutTrack(const Track<Quat>& track, BlockKind kind) {
    return cutKeys(track, kind);
}

Pieces cutTrack(const AngleTracks& tracks, BlockKind kind) {
    const std::vector<double> times = rotationTimes(tracks);
    Pieces out;
    out.start = times.front();
    out.end = times.back();
    chooseOutside(tracks, out);
    const Quat first = normalized(TurnsStretch{tracks, kBeginning}.value(out.start));
    out.pieces.push_back(constantPiece(kBeginning, out.start, first));
    if (out.everywhere) {
        out.loops = false;
        return out;
    }
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double middle = 0.5 * (times[i] + times[i + 1]);
        if (kind == BlockKind::AxesRotation) {
            cutRotations(tracks, middle, times[i], times[i + 1], kMostHalvings, out.pieces);
        } else {
            cut(TurnsStretch{tracks, middle}, false, times[i], times[i + 1], kMostHalvings,
                out.pieces);
        }
    }
    const Quat last = normalized(TurnsStretch{tracks, -kBeginning}.value(out.end));
    out.pieces.push_back(constantPiece(out.end, out.end, last));
    return out;
}

}  // namespace ulna::motion::detail
