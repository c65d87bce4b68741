// SPDX-License-Identifier: Apache-2.0

// What a PlayableClip holds: lanes, their pieces of curve, and when one piece follows another.
//
// A lane is one track. Eight lanes of neighbouring joints are a block, evaluated together into
// eight neighbouring numbers of a FloatPose. A track that does not reach outside its keys simply
// has a constant piece before the first and after the last.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/float_pose.h"

namespace ulna::detail {

/// What a block's numbers mean, and how many of a piece's it needs:
///   row  0..3  the value at t0: a rotation's x, y, z, w, or x, y, z of a vector
///   row  4     t0
///   rotation = value * exp(2 h(t - t0)), vector = value + h(t - t0), with h a polynomial:
///   rows 5..7  h's rate;  8..10  its second;  11..13  its third coefficient
/// and of a rotation at steady speed, which is value * cos + across * sin of half the angle:
///   row  5     half the speed;  rows 6..9  across = value times the axis
enum class BlockKind : std::uint8_t { SteadyRotation, CubicRotation, LinearVector, CubicVector };

inline constexpr std::size_t kTimeRow = 4;
inline constexpr std::size_t kBlockRows = 14;
inline constexpr std::size_t kBlockNumbers = kBlockRows * FloatPose::kLanes;

[[nodiscard]] constexpr std::size_t pieceRows(BlockKind kind) {
    constexpr std::size_t kRowsOf[] = {10, 14, 8, 14};
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

/// Lanes that see the same time: all that do not loop, and those that loop over the same stretch.
struct PlayGroup {
    bool loops = false;
    double start = 0.0;
    double end = 0.0;
    std::vector<std::uint32_t> lanes;
    std::vector<PlayEvent> events;  ///< by time, then lane
    /// Where every lane stands after so many events, and again after twice as many, and so on.
    std::size_t snapshot_every = 1;
    std::vector<std::uint32_t> snapshots;
    std::vector<double> snapshot_times;  ///< of the last event before each; the first is -infinity
};

using RotationTracks = std::variant<Track<Quat>, AngleTracks>;

/// A rotation that no pieces can follow for ever: it spins on outside its keys, or is made of turns
/// that loop each in its own time. It is then sampled as it is.
struct ExactLane {
    std::uint32_t lane = 0;
    bool everywhere = false;
    RotationTracks rotation;
};

/// Numbers of the base pose that no block writes.
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

}  // namespace ulna::detail
