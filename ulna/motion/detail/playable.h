// SPDX-License-Identifier: Apache-2.0

// What a PlayableClip holds: lanes, their pieces of curve, and when one piece follows another.
//
// A lane is one track. Eight lanes of neighbouring joints are a block, evaluated together into
// eight neighbouring values of a FloatPose. A track that does not reach outside its keys simply
// has a constant piece before the first and after the last.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/float_pose.h"

namespace ulna::motion::detail {

/// The meaning of a block's values. Every piece has a value, a rotation's x, y, z, w or a vector's
/// x, y, z, in rows 0 to 3, and the time t0 in row 4; s = t - t0. Then follow, from row 5 on:
///   SteadyRotation  half the speed; value times the axis (4): constant speed
///   CubicRotation   three coefficients of 3: value * exp(2 h), h = s (c0 + s (c1 + s c2))
///   SummedRotation  three coefficients of 4: value + h, normalised
///   AxesRotation    three times an axis (3) and three coefficients of half an angle: value times
///                   the three rotations
///   LinearVector    one coefficient of 3: value + h
///   CubicVector     three coefficients of 3
enum class BlockKind : std::uint8_t {
    SteadyRotation,
    CubicRotation,
    SummedRotation,
    AxesRotation,
    LinearVector,
    CubicVector,
};

inline constexpr std::size_t kTimeRow = 4;
inline constexpr std::size_t kBlockRows = 23;
inline constexpr std::size_t kBlockNumbers = kBlockRows * FloatPose::kLanes;

[[nodiscard]] constexpr std::size_t pieceRows(BlockKind kind) {
    constexpr std::size_t kRowsOf[] = {10, 14, 17, 23, 8, 14};
    return kRowsOf[static_cast<std::size_t>(kind)];
}

struct PlayBlock {
    BlockKind kind = BlockKind::SteadyRotation;
    std::uint32_t out = 0;  ///< where in a FloatPose its first row begins
};

struct PlayLane {
    std::uint32_t first = 0;  ///< of its pieces; each is pieceRows further on
    std::uint32_t last = 0;
};

/// A lane goes on to its next piece.
struct PlayEvent {
    double time = 0.0;
    std::uint32_t lane = 0;
    std::uint32_t rows = 0;  ///< how far its next piece is from this
};

/// Lanes that see the same time: all that do not loop, and those that loop over the same interval.
struct PlayGroup {
    bool loops = false;
    double start = 0.0;
    double end = 0.0;
    std::vector<std::uint32_t> lanes;
    std::vector<PlayEvent> events;  ///< by time, then lane
    /// The current piece of every lane after a number of events, after twice as many, and so on.
    std::size_t snapshot_every = 1;
    std::vector<std::uint32_t> snapshots;
    std::vector<double> snapshot_times;  ///< of the last event before each; the first is -infinity
};

using RotationTracks = std::variant<Track<Quat>, AngleTracks>;

/// A rotation that no finite number of pieces can represent: it keeps rotating outside its keys, or
/// it consists of rotations that loop with different periods. It is sampled from its track instead.
struct ExactLane {
    std::uint32_t lane = 0;
    bool everywhere = false;
    RotationTracks rotation;
};

/// Values of the base pose that no block writes.
struct CopiedRange {
    std::size_t begin = 0, size = 0;
};

struct PlayableData {
    std::string name;
    double start_time = 0.0;
    double end_time = 0.0;
    FloatPose base;
    std::vector<CopiedRange> copied;
    std::vector<PlayBlock> blocks;
    std::vector<PlayLane> lanes;
    AlignedVector<double> pieces;
    std::vector<PlayGroup> groups;
    std::vector<ExactLane> exact;
};

[[nodiscard]] PlayableData makePlayableData(const KeyedMotion& motion);

}  // namespace ulna::motion::detail
