// SPDX-License-Identifier: Apache-2.0

// A mesh in the form that kernels read.
#pragma once

#include <vector>

#include "ulna/gpu/detail/kernel/skinning.h"
#include "ulna/skin/mesh.h"

namespace ulna::gpu::detail {

struct SkinTables {
    std::vector<kernel::SkinVertex> vertices;
    std::vector<float> further_weights;
    std::vector<int> further_joints;
    std::vector<double> joint_from_bind;  // per joint: the rows of a matrix
    std::vector<double> at_bind;          // per joint: where it is
};
[[nodiscard]] SkinTables makeSkinTables(const Skeleton& skeleton, const Mesh& mesh);

}  // namespace ulna::gpu::detail
