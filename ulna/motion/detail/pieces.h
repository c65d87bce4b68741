// SPDX-License-Identifier: Apache-2.0

// Tracks cut into pieces that a polynomial gives: what a player evaluates.
#pragma once

#include <array>
#include <vector>

#include "ulna/motion/detail/play_block.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna::motion::detail {

/// One piece, with the values that its block's kind has after t0; all zero for a constant.
struct Piece {
    double start = 0.0;  ///< from when on it holds
    double t0 = 0.0;
    Quat value = {0, 0, 0, 0};  ///< of a vector x, y, z
    std::array<double, kBlockRows - kTimeRow - 1> numbers = {};
};

/// A whole track: the first piece holds from the beginning of time.
struct Pieces {
    std::vector<Piece> pieces;
    bool loops = false;  ///< over the interval from start to end
    double start = 0.0;
    double end = 0.0;
    bool spins = false;       ///< on outside its keys: the first and last piece do not say how
    bool everywhere = false;  ///< cannot be cut at all
};

/// How far from a track its pieces may be, in radians. Rounding to float takes nearly all of the
/// 1e-7 that are promised.
inline constexpr double kPieceTolerance = 3e-9;
/// How large half the angle of a piece may become: the vector code's polynomials end at 0.8. A
/// slerp of 180 degrees has pi / 4 to either side of its middle.
inline constexpr double kMostHalfAngle = 0.79;

/// The kind that represents a track exactly. There is none for rotations about more than three
/// axes: they are CubicRotations.
/// @pre the track has keys; so below.
[[nodiscard]] BlockKind kindOf(const Track<Vec3>& track);
[[nodiscard]] BlockKind kindOf(const Track<Quat>& track);
[[nodiscard]] BlockKind kindOf(const AngleTracks& tracks);

/// The track as pieces of its kind, or of one that can stand for it: CubicRotation for any
/// rotation, CubicVector for any vector.
[[nodiscard]] Pieces cutTrack(const Track<Vec3>& track, BlockKind kind);
[[nodiscard]] Pieces cutTrack(const Track<Quat>& track, BlockKind kind);
[[nodiscard]] Pieces cutTrack(const AngleTracks& tracks, BlockKind kind);

}  // namespace ulna::motion::detail
