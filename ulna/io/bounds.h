// SPDX-License-Identifier: Apache-2.0

// Bounds on what files may contain. Readers reject what exceeds them, with its location, so that no
// computation overflows.
#pragma once

#include <cstddef>

namespace ulna::io {

/// The largest absolute value in a file, so that no sum of values overflows.
inline constexpr double kLargestNumber = 1e100;
/// The largest coordinate of a mesh. Meshes are in float, whose squares overflow beyond it.
inline constexpr double kLargestCoordinate = 1e18;
/// The longest name, in bytes of UTF-8.
inline constexpr std::size_t kLongestName = 255;
/// The shortest and the longest time between frames, in seconds.
inline constexpr double kShortestFrameTime = 1e-9;
inline constexpr double kLongestFrameTime = 1e9;

}  // namespace ulna::io
