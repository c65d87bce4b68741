// SPDX-License-Identifier: Apache-2.0

// Skeletons of every joint kind with every kind of limit, and goals on them, made from a seed.
#pragma once

#include <vector>

#include "support/plain_matrix.h"
#include "ulna/ik/goal.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/state.h"

namespace ulna::test {

struct RandomRigOptions {
    std::size_t least_joints = 2, most_joints = 20;
    bool planar = false;
    bool scales = true;  ///< a few joints are scaled uniformly
    bool limits = true;
    bool wide_limits = false;  ///< angles over a full rotation, and bounds at one side alone
};
[[nodiscard]] Skeleton randomRig(Random& random, const RandomRigOptions& options = {});

/// Coordinates inside the limits.
[[nodiscard]] DofVector randomAllowedDofs(Random& random, const Skeleton& skeleton);

struct RandomGoalOptions {
    std::size_t most = 4;
    bool reachable = true;  ///< the targets are those of one allowed pose
    bool positions_only = false;
};
/// Positions, orientations, aims, planes and distances, with weights.
[[nodiscard]] std::vector<IkGoal> randomGoals(Random& random, const Skeleton& skeleton,
                                              const RandomGoalOptions& options = {});

/// The error of a goal, a length or an angle, by plain matrices.
[[nodiscard]] double plainError(const GoalKind& goal, std::span<const PlainMatrix> model);

}  // namespace ulna::test
