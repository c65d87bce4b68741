// SPDX-License-Identifier: Apache-2.0

// Tracks cut into pieces that a polynomial gives: what a player evaluates.
#pragma once

#include <vector>

#include "ulna/motion/detail/playable.h"

namespace ulna::detail {

/// One piece: a value at t0 and a polynomial of the time since. A rotation is
/// value * exp(2 h(t - t0)), a vector value + h(t - t0), h(s) = s (rate + s (second + s third)).
struct Piece {
    double start = 0.0;  ///< from when on it holds
    double t0 = 0.0;
    Quat value = {0, 0, 0, 0};  ///< of a vector x, y, z
    Vec3 rate = {};
    Vec3 second = {};
    Vec3 third = {};
};

/// A whole track: the first piece holds from the beginning of time.
struct Pieces {
    std::vector<Piece> pieces;
    bool loops = false;  ///< over the stretch from start to end
    double start = 0.0;
    double end = 0.0;
    bool spins = false;       ///< on outside its keys: the first and last piece do not say how
    bool everywhere = false;  ///< cannot be cut at all
};

/// How far from a track its pieces may be, in radians. Rounding to float takes nearly all of the
/// 1e-7 that are promised.
inline constexpr double kPieceTolerance = 3e-9;
/// How large half the angle of a piece may become: the vector code's polynomials end at 0.8. A
/// slerp of half a turn has pi / 4 to either side of its middle.
inline constexpr double kMostHalfAngle = 0.79;

/// @pre the track has keys.
[[nodiscard]] Pieces cutTrack(const Track<Vec3>& track);
[[nodiscard]] Pieces cutTrack(const Track<Quat>& track);
[[nodiscard]] Pieces cutTrack(const AngleTracks& tracks);

}  // namespace ulna::detail
