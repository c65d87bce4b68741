// SPDX-License-Identifier: Apache-2.0

// What the kernels of kinematics and skinning have in common where they are started.
#pragma once

#include <cstddef>

#include "ulna/gpu/detail/kernel/group.h"

namespace ulna::gpu::detail {

/// For the compiler at run time, where the library came without kernels.
inline constexpr const char* kMovingSource = "#include \"ulna/gpu/detail/kernel/moving.h\"\n";
inline constexpr unsigned kMovingThreads = 128;  // of a block
/// As many rows of blocks a grid has at most.
inline constexpr std::size_t kMostRows = 65535;

/// Blocks for so many poses or vertices, a thread each.
[[nodiscard]] inline std::size_t movingBlocks(std::size_t count) {
    return (count + kMovingThreads - 1) / kMovingThreads;
}

}  // namespace ulna::gpu::detail
