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

#include "ulna/motion/detail/play_block.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna::motion::detail {

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
