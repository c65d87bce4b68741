// SPDX-License-Identifier: Apache-2.0

// The kernel of skeleton/batch.h: one block of poses.
#pragma once

#include <cstddef>
#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna::skeleton::detail {

/// Poses per block, the kBatchLanes of skeleton/batch.h.
inline constexpr std::size_t kBlockLanes = 16;

/// @pre `poses` and `model` are laid out as PoseBatch::block and ModelBatch::block say.
void composeBlockSimd(const Skeleton& skeleton, const std::vector<std::ptrdiff_t>& starts,
                      const float* poses, float* model);

}  // namespace ulna::skeleton::detail
