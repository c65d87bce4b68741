// SPDX-License-Identifier: Apache-2.0

// The loops over vertices, for whatever vector unit the machine has.
#pragma once

#include <span>

#include "ulna/skin/deform_types.h"
#include "ulna/skin/detail/packed_skin.h"

namespace ulna::skin::detail {

struct DeformTask {
    const float* matrices = nullptr;  ///< 16 floats a joint; null where there are none
    const float* motions = nullptr;   ///< 8 floats a pair of joints; null where there are none
    NormalRule rule = NormalRule::Cofactor;
    // Of vertex `first` on; normals and tangents may be null.
    float* positions = nullptr;
    float* normals = nullptr;
    float* tangents = nullptr;
    std::size_t first = 0;
};

/// Deforms the vertices of some runs: by the blended matrix, then by the blended motion.
void deformRuns(const PackedSkin& skin, std::span<const SkinRun> runs, const DeformTask& task);

}  // namespace ulna::skin::detail
