// SPDX-License-Identifier: Apache-2.0

// Forward kinematics and the ways to points as steps, in the form that kernels read.
#pragma once

#include <span>
#include <vector>

#include "ulna/gpu/detail/kernel/kinematics.h"
#include "ulna/skeleton/jacobian.h"

namespace ulna::gpu::detail {

/// All joints of a skeleton in order, in portions.
struct TransformSteps {
    std::vector<kernel::Portion> portions;
    std::vector<kernel::Joint> joints;
    std::vector<kernel::Step> steps;
    std::vector<float> angles;  ///< per coordinate: kernel::Turn
};
[[nodiscard]] TransformSteps makeTransformSteps(const Skeleton& skeleton);

/// From the root to each of these points.
struct PointSteps {
    std::vector<kernel::Way> ways;
    std::vector<kernel::Stretch> stretches;
    std::vector<kernel::Step> steps;
    std::vector<kernel::WayColumn> columns;
    std::vector<int> idle;
};
[[nodiscard]] PointSteps makePointSteps(const Skeleton& skeleton,
                                        std::span<const JointPoint> points);

}  // namespace ulna::gpu::detail
