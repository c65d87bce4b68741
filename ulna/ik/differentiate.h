// SPDX-License-Identifier: Apache-2.0

// How the answer of a solve moves when its targets move: the derivative of inverse kinematics.
//
// For programs that learn or optimise through a solve. An answer is a minimum, so its gradient is
// zero and stays zero as a target moves; the second derivatives of the cost say how the pose must
// follow (the implicit function theorem). To solve see ik/solver.h; for the derivatives of the cost
// itself see ik/evaluate.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/goal.h"
#include "ulna/ik/options.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

struct IkDerivatives {
    std::size_t dofs = 0;     ///< rows
    std::size_t targets = 0;  ///< columns: three per goal, in the order of the goals
    /// dofs x targets, by rows: how fast a degree of freedom follows a target. Column 3 g + k is
    /// for component k of goal g: of a point as it moves along model axis k, of a rotation as it
    /// rotates about model axis k, per radian. Zero for goals without a target, or switched off.
    std::vector<double> by_target;

    /// How fast degree of freedom `dof` follows component `k` of the target of goal `goal`.
    [[nodiscard]] double at(std::size_t dof, std::size_t goal, std::size_t k) const {
        return by_target[dof * targets + 3 * goal + k];
    }
    /// The other way round, as optimisers need it: how a cost changes with the targets when its
    /// gradient by the degrees of freedom is given; one value per column.
    /// @pre gradient.size() == dofs
    [[nodiscard]] std::vector<double> pullBack(std::span<const double> gradient) const;
};

/// Differentiates the answer `dofs` of a solve with these goals and options by every target.
///
/// Degrees of freedom that stand at a limit, and locked ones, stay. Where the goals leave a
/// freedom, the smallest motion counts, as in a solve; a posture decides it. The derivative is that
/// of the branch that the answer is on: exact at a minimum (IkStatus::Reached or OutOfReach), and
/// as good as the answer elsewhere.
///
/// The errors are those of IkSolver::make, goals of level 2, coordinates that are not finite, and
/// more than 300 coordinates that move.
///
/// @pre dofs.size() == skeleton.dofCount()
[[nodiscard]] Result<IkDerivatives> differentiateIk(const Skeleton& skeleton,
                                                    std::span<const IkGoal> goals,
                                                    std::span<const double> dofs,
                                                    const IkOptions& options = {});

}  // namespace ulna
