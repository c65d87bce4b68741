// SPDX-License-Identifier: Apache-2.0

// What files may ask for. Beyond these bounds lies no motion, only overflow; readers refuse it with
// its place.
#pragma once

#include <cstddef>

namespace ulna::io {

/// The largest number in a file, so that no sum of them overflows.
inline constexpr double kLargestNumber = 1e100;
/// The largest coordinate of a surface, which has floats: their squares overflow beyond it.
inline constexpr double kLargestCoordinate = 1e18;
/// The longest name, in bytes of UTF-8.
inline constexpr std::size_t kLongestName = 255;
/// The seconds between frames that make sense.
inline constexpr double kShortestFrameTime = 1e-9;
inline constexpr double kLongestFrameTime = 1e9;

}  // namespace ulna::io
