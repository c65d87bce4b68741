// SPDX-License-Identifier: Apache-2.0

// How a fitted pose follows its target vertices: the derivative of the fit of a skeleton.
//
// For programs that learn or optimise through a fit. A fit is a minimum, so its gradient is zero
// and stays zero as a target moves; the second derivatives of the cost say how the pose must follow
// (the implicit function theorem). To fit see fit/skeleton_fit.h; for inverse kinematics see
// ik/differentiate.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/fit/skeleton_fit.h"

namespace ulna {

struct FitDerivatives {
    std::size_t joints = 0;
    std::size_t vertices = 0;
    /// 6 joints x 3 vertices, by rows. Rows 6 j to 6 j + 2 are the rotation of joint j, as a
    /// rotation vector in the coordinates of its parent, in radians; rows 6 j + 3 to 6 j + 5 are
    /// its translation relative to its parent. Column 3 v + k is for component k of the target of
    /// vertex v.
    std::vector<double> by_target;

    /// How fast component `i` (0 to 5) of a joint follows component `k` of the target of a vertex.
    [[nodiscard]] double at(JointId joint, std::size_t i, std::size_t vertex, std::size_t k) const {
        return by_target[(6 * index(joint) + i) * 3 * vertices + 3 * vertex + k];
    }
    /// The other way round, as optimisers need it: how a cost changes with the targets when its
    /// gradient by the rows is given; one value per column.
    /// @pre gradient.size() == 6 * joints
    [[nodiscard]] std::vector<double> pullBack(std::span<const double> gradient) const;
};

/// Differentiates the answer `pose` of SkeletonFitter::fit with these targets and options.
///
/// Coordinates that stand at a limit, and locked joints, stay. Where the vertices leave a freedom,
/// the smallest motion counts: a displacement by the size of the shape as much as one radian. The
/// derivative is exact at a minimum (FitStatus::Converged), and as good as the answer elsewhere.
///
/// The errors are those of SkeletonFitter::make, a robust loss, pinned joints, smoothness (such an
/// answer depends on its start), targets with mass that are not finite, and more than 300
/// coordinates that move.
///
/// @pre targets has a position per vertex; pose a transform per joint.
[[nodiscard]] Result<FitDerivatives> differentiateFit(const Skeleton& skeleton, const Mesh& mesh,
                                                      const FitTargets& targets, const Pose& pose,
                                                      const SkeletonFitOptions& options = {});

}  // namespace ulna
