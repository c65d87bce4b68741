// SPDX-License-Identifier: Apache-2.0

// Blocks of lanes: what the values of a piece of curve mean, and where they are.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace ulna::motion::detail
