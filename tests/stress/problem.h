// SPDX-License-Identifier: Apache-2.0

// Random inverse-kinematics problems of every kind, and what several families ask of an answer.
#pragma once

#include <string>
#include <vector>

#include "stress/ledger.h"
#include "support/random_rigs.h"
#include "ulna/ik/solver.h"

namespace ulna::test::stress {

struct Problem {
    Skeleton rig;
    std::vector<IkGoal> goals = {};
    IkOptions options = {};
    DofVector start = {};  ///< at rest, inside the limits, or anywhere
};

[[nodiscard]] DofVector randomStart(Random& random, const Skeleton& rig);
/// Also restarts, continuity, locks, chains and stiffness.
[[nodiscard]] Problem randomProblem(Random& random);
/// The same with hinges and prismatic joints that follow others; some rigs have none.
[[nodiscard]] Problem randomCoupledProblem(Random& random);
/// The same problem in another unit of length.
[[nodiscard]] Problem scaled(const Problem& problem, double factor);

[[nodiscard]] JointId randomJoint(Random& random, const Skeleton& rig);
[[nodiscard]] bool hasPosture(std::span<const IkGoal> goals);
/// Which joints may move: a goal's bodies and those above them, inside the chain, not locked. With
/// a posture, all that are not locked and inside the chain.
[[nodiscard]] std::vector<bool> movableJoints(const Problem& problem);

/// The largest rotation of a joint between two states, or its displacement in units of `reach`.
[[nodiscard]] double movedBetween(const Skeleton& rig, std::span<const double> a,
                                  std::span<const double> b, double reach);
[[nodiscard]] double movedBetween(const Skeleton& rig, const Pose& a, const Pose& b, double reach);
/// How far the rotations of a pose are from those that joints allow.
[[nodiscard]] double poseExcess(const Skeleton& rig, const Pose& pose);

/// False where an eye is within 1e-6 of what it aims at: rounding decides the direction and with it
/// the error, so nothing can be judged.
[[nodiscard]] bool isDetermined(const Problem& problem, std::span<const PlainMatrix> model);

/// Whether every goal that is switched on is within its tolerance, by plain matrices.
[[nodiscard]] bool allMet(const Problem& problem, const IkSolver& solver,
                          std::span<const PlainMatrix> model);

/// "[reached, 7 joints, 12 degrees of freedom, restarts: position aim/2]"
[[nodiscard]] std::string describe(const Problem& problem, const IkReport& report);

/// Looks at an answer and its report: finite, inside the limits, errors and cost true, Reached
/// true. `suffix` is added to the names of the promises.
void lookAtAnswer(const Problem& problem, const IkSolver& solver, const IkReport& report,
                  const DofVector& answer, Ledger& ledger, const std::string& suffix = {});

/// Looks at an answer that is solved again, by its status.
void lookAtStillness(const Problem& problem, IkSolver& solver, const IkReport& report,
                     const DofVector& answer, Ledger& ledger);

}  // namespace ulna::test::stress
