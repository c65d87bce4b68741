// SPDX-License-Identifier: Apache-2.0

// What goals make of a pose, without solving: residuals, errors, and the cost that solvers lower,
// with its derivatives by the skeleton's degrees of freedom.
//
// For programs that compare poses, or bring an optimiser of their own. To solve see ik/solver.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/goal.h"
#include "ulna/ik/options.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// One goal at a pose. All is zero for a goal that is switched off.
struct EvaluatedGoal {
    std::size_t first_row = 0;  ///< its first row of IkEvaluation::jacobian
    std::size_t rows = 0;       ///< how many residuals it has; none for a posture
    std::array<double, kMaxGoalRows> residual = {};  ///< unweighted: lengths, or radians
    double error = 0.0;  ///< as in IkReport::goal_errors: a length or an angle; 0 for a posture
    double cost = 0.0;   ///< half its weighted squared residual, in squared lengths
};

struct IkEvaluation {
    std::vector<EvaluatedGoal> goals;  ///< one per goal
    double cost = 0.0;                 ///< as in IkReport: of the goals of both levels, no postures
    double posture_cost = 0.0;         ///< of the postures
    double reach = 0.0;                ///< as IkSolver::reach: what multiplies angles in a cost
    std::size_t row_count = 0;         ///< of all goals together, those switched off included
    /// The derivative of cost + posture_cost by each degree of freedom; empty unless wanted.
    std::vector<double> gradient;
    /// The derivative of each residual, unweighted, by each degree of freedom: row_count rows of
    /// skeleton.dofCount() values; empty unless wanted. Rows of goals switched off are zero.
    std::vector<double> jacobian;
};

struct EvaluateOptions {
    bool gradient = false;
    bool jacobian = false;
    /// Translations of joints that do not slide, and scales, as this pose has them; rest by
    /// default. It must live until the evaluation ends.
    const Pose* base = nullptr;
};

/// Evaluates goals at coordinates, which are taken as they are, inside their limits or not.
///
/// The problem is that of IkSolver::make(skeleton, goals, options): locked joints and chains decide
/// the reach, and which joints a posture holds. The derivatives are those of all degrees of
/// freedom, locked ones too. The errors are those of IkSolver::make, coordinates that are not
/// finite, and a scale of `base` that is not uniform.
///
/// @pre dofs.size() == skeleton.dofCount(); base has one transform per joint of skeleton.
[[nodiscard]] Result<IkEvaluation> evaluateGoals(const Skeleton& skeleton,
                                                 std::span<const IkGoal> goals,
                                                 std::span<const double> dofs,
                                                 const EvaluateOptions& wanted = {},
                                                 const IkOptions& options = {});

/// Evaluates goals at a pose, with its own stretch and scale, also where the coordinates of the
/// skeleton cannot express it; a posture compares the nearest coordinates. There are no
/// derivatives, since a pose has no coordinates.
///
/// @pre pose has one transform per joint of skeleton.
[[nodiscard]] Result<IkEvaluation> evaluateGoals(const Skeleton& skeleton,
                                                 std::span<const IkGoal> goals, const Pose& pose,
                                                 const IkOptions& options = {});

}  // namespace ulna
