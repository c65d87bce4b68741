// SPDX-License-Identifier: Apache-2.0

// Skeletons of every joint kind with every kind of limit, and goals on them, made from a seed.
#pragma once

#include <vector>

#include "support/plain_matrix.h"
#include "ulna/ik/goal.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/state.h"

namespace ulna::test {

[[nodiscard]] bool chance(Random& random, double probability);
/// Uniform in a ball around the origin.
[[nodiscard]] Vec3 inBall(Random& random, double radius);

struct RandomRigOptions {
    std::size_t least_joints = 2, most_joints = 20;
    bool planar = false;
    bool scales = true;  ///< a few joints are scaled uniformly
    bool limits = true;
    bool wide_limits = false;  ///< angles over a full rotation, and bounds at one side alone
    /// Also cones that leave the swing free, locked and stiff joints, and free joints inside the
    /// tree.
    bool every_joint = false;
};
[[nodiscard]] Skeleton randomRig(Random& random, const RandomRigOptions& options = {});
/// Those of problems of every kind: up to 8 joints in most, up to 60 in a few; one of seven is
/// planar.
[[nodiscard]] RandomRigOptions randomRigOptions(Random& random);

/// Coordinates inside the limits.
[[nodiscard]] DofVector randomAllowedDofs(Random& random, const Skeleton& skeleton);

struct RandomGoalOptions {
    std::size_t most = 4;
    bool reachable = true;  ///< the targets are those of one allowed pose
    bool positions_only = false;
    bool every_goal = false;  ///< also poles, postures, targets relative to a joint, goals off
    bool two_levels = false;
    bool capsules = false;  ///< with every_goal: also capsules that keep apart, not in the plane
};
/// The centre of mass over up to four contacts, on joints drawn anyhow.
[[nodiscard]] IkGoal randomBalance(Random& random, const Skeleton& skeleton);
/// Positions, orientations, aims, planes and distances, with weights.
[[nodiscard]] std::vector<IkGoal> randomGoals(Random& random, const Skeleton& skeleton,
                                              const RandomGoalOptions& options = {});

/// A rig with goals on it and where a solve begins.
struct RandomProblem {
    Skeleton rig;
    std::vector<IkGoal> goals;
    DofVector start;
};

/// The rotation of a matrix, without its scale.
[[nodiscard]] Quat plainQuat(const PlainMatrix& m);

/// The error of a goal, a length or an angle, by plain matrices; 0 for a posture.
[[nodiscard]] double plainError(const GoalKind& goal, std::span<const PlainMatrix> model);

/// Half the weighted sum of the squared residuals of goals, angles times the reach, by plain
/// matrices. Goals that are switched off, and postures, do not count.
[[nodiscard]] double plainCost(std::span<const IkGoal> goals, std::span<const PlainMatrix> model,
                               double reach);

}  // namespace ulna::test
