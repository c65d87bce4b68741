// SPDX-License-Identifier: Apache-2.0
//
// Vectors are cubics already. A slerp has a steady speed, and Catmull–Rom rotations are cubics in
// the logarithm, so one piece between two keys is exact. What is neither (Hermite rotations,
// products of turns) gets cubics in the logarithm with its own values and angular velocities at
// their ends. All rotations are then measured against the track and halved where they are off, or
// where they turn too far for the player's polynomials.
#include "ulna/motion/detail/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::detail {
namespace {

constexpr double kBeginning = -std::numeric_limits<double>::infinity();

bool spans(double start, double end) {
    return end > start;
}
template <class V>
bool spans(const Track<V>& track) {
    return spans(track.startTime(), track.endTime());
}

// A stretch of a track between two keys, both ends included.
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

// A stretch of turns on which none of them has a key, both ends included.
struct TurnsStretch {
    const AngleTracks& tracks;
    double inside;

    [[nodiscard]] Quat value(double time) const {
        Quat out = tracks.rest;
        for (const auto& turn : tracks.turns)
            out = out * quatFromAxisAngle(turn.axis, angleAt(turn.angle, inside, time));
        return out;
    }
    [[nodiscard]] Vec3 rate(double time) const {
        Vec3 out;
        for (const auto& turn : tracks.turns) {
            const double angle = angleAt(turn.angle, inside, time);
            out = rotate(quatFromAxisAngle(turn.axis, -angle), out) +
                  turn.axis * angleRateAt(turn.angle, inside, time);
        }
        return out;
    }
};

Vec3 halfVector(const Piece& piece, double time) {
    const double s = time - piece.t0;
    return (piece.rate + (piece.second + piece.third * s) * s) * s;
}

// At steady speed from one rotation to another. It counts from the middle: half the angle.
Piece steadyPiece(double a, double b, const Quat& from, const Quat& to) {
    const Vec3 turn = quatLog(conjugate(from) * to);
    Piece out;
    out.start = a;
    out.t0 = 0.5 * (a + b);
    out.value = from * quatExp(turn * 0.5);
    out.rate = turn * (0.5 / (b - a));
    return out;
}

// The cubic in the logarithm with these rotations and angular velocities at its ends.
Piece cubicPiece(double a, double b, const Quat& from, const Vec3& rate_from, const Quat& to,
                 const Vec3& rate_to) {
    const double h = b - a;
    const Vec3 turn = quatLog(conjugate(from) * to);
    const Vec3 leave = rate_from * h;
    const Vec3 arrive = logRate(turn, rate_to) * h;
    Piece out;
    out.start = a;
    out.t0 = a;
    out.value = from;
    out.rate = leave * (0.5 / h);
    out.second = (turn * 3.0 - leave * 2.0 - arrive) * (0.5 / (h * h));
    out.third = (leave + arrive - turn * 2.0) * (0.5 / (h * h * h));
    return out;
}

// Whether a piece keeps within both bounds, up to `b`.
template <class Stretch>
bool follows(const Piece& piece, const Stretch& stretch, double b) {
    constexpr int kChecks = 8;
    const double a = piece.start;
    for (int i = 0; i <= kChecks; ++i) {
        const double time = i == kChecks ? b : a + (b - a) * i / kChecks;
        const Vec3 half = halfVector(piece, time);
        if (!(length(half) <= kMostHalfAngle)) return false;
        const Quat made = piece.value * quatExp(half * 2.0);
        if (!(angleBetween(made, normalized(stretch.value(time))) <= kPieceTolerance)) return false;
    }
    return true;
}

template <class Stretch>
void cut(const Stretch& stretch, bool steady, double a, double b, int halvings,
         std::vector<Piece>& out) {
    const Quat from = normalized(stretch.value(a));
    const Quat to = normalized(stretch.value(b));
    const Piece piece = steady ? steadyPiece(a, b, from, to)
                               : cubicPiece(a, b, from, stretch.rate(a), to, stretch.rate(b));
    const double middle = 0.5 * (a + b);
    // A Hermite rotation may pass through zero, where it jumps: halving must end.
    if (halvings == 0 || !(a < middle && middle < b) || follows(piece, stretch, b)) {
        out.push_back(piece);
        return;
    }
    cut(stretch, steady, a, middle, halvings - 1, out);
    cut(stretch, steady, middle, b, halvings - 1, out);
}
constexpr int kMostHalvings = 12;

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

Piece vectorPiece(const Track<Vec3>& track, std::size_t segment) {
    const double a = track.keys()[segment].time;
    const double b = track.keys()[segment + 1].time;
    const Vec3 from = track.keys()[segment].value;
    Piece out = constantPiece(a, a, from);
    if (track.interpolation == Interpolation::Step) return out;
    const double h = b - a;
    const Vec3 chord = (track.keys()[segment + 1].value - from) / h;
    out.rate = chord;
    if (track.interpolation == Interpolation::Linear) return out;
    out.rate = sampleSegmentRate(track, segment, a);
    const Vec3 arrive = sampleSegmentRate(track, segment, b);
    out.second = (chord * 3.0 - out.rate * 2.0 - arrive) / h;
    out.third = (out.rate + arrive - chord * 2.0) / (h * h);
    return out;
}

void addSegment(const Track<Vec3>& track, std::size_t segment, std::vector<Piece>& out) {
    out.push_back(vectorPiece(track, segment));
}
void addSegment(const Track<Quat>& track, std::size_t segment, std::vector<Piece>& out) {
    const double a = track.keys()[segment].time;
    const double b = track.keys()[segment + 1].time;
    if (track.interpolation == Interpolation::Step) {
        out.push_back(constantPiece(a, a, normalized(track.keys()[segment].value)));
    } else {
        cut(TrackStretch{track, segment}, track.interpolation == Interpolation::Linear, a, b,
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
    out.pieces.front().rate = sampleRate(track, track.startTime());
    out.pieces.back().rate = sampleRate(track, track.endTime());
}
void extrapolate(const Track<Quat>&, Pieces& out) {
    out.spins = true;
}

template <class V>
Pieces cutKeys(const Track<V>& track) {
    const auto keys = track.keys();
    Pieces out;
    out.start = track.startTime();
    out.end = track.endTime();
    out.pieces.push_back(constantPiece(kBeginning, out.start, endValue(keys.front())));
    if (keys.size() == 1) return out;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i)
        if (keys[i + 1].time > keys[i].time) addSegment(track, i, out.pieces);
    out.pieces.push_back(constantPiece(out.end, out.end, endValue(keys.back())));
    if (!spans(track)) return out;
    out.loops = track.outside == Outside::Loop;
    if (track.outside == Outside::Extrapolate) extrapolate(track, out);
    return out;
}

std::vector<double> turnTimes(const AngleTracks& tracks) {
    std::vector<double> out;
    for (const auto& turn : tracks.turns)
        for (const auto& key : turn.angle.keys()) out.push_back(key.time);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// How the turns go on outside their keys, together.
void chooseOutside(const AngleTracks& tracks, Pieces& out) {
    bool apart = false;
    for (const auto& turn : tracks.turns) {
        const Track<double>& angle = turn.angle;
        if (angle.keys().size() < 2) continue;
        const bool loops = angle.outside == Outside::Loop && spans(angle);
        out.loops = out.loops || loops;
        out.spins = out.spins || (angle.outside == Outside::Extrapolate && spans(angle));
        apart = apart || !loops || angle.startTime() != out.start || angle.endTime() != out.end;
    }
    out.everywhere = out.loops && apart;
}

}  // namespace

Pieces cutTrack(const Track<Vec3>& track) {
    return cutKeys(track);
}

Pieces cutTrack(const Track<Quat>& track) {
    return cutKeys(track);
}

Pieces cutTrack(const AngleTracks& tracks) {
    const std::vector<double> times = turnTimes(tracks);
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
        cut(TurnsStretch{tracks, middle}, false, times[i], times[i + 1], kMostHalvings, out.pieces);
    }
    const Quat last = normalized(TurnsStretch{tracks, -kBeginning}.value(out.end));
    out.pieces.push_back(constantPiece(out.end, out.end, last));
    return out;
}

}  // namespace ulna::detail
