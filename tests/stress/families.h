// SPDX-License-Identifier: Apache-2.0

// The families of random problems. Each function makes the problem of one seed, solves it, and
// looks at what was promised; answers are judged by plain matrices (support/plain_matrix.h).
#pragma once

#include "stress/ledger.h"

namespace ulna::test::stress {

/// One solve: limits, true reports, equal bytes, stillness, minima, poses, units of length.
void stressSolve(std::uint64_t seed, Ledger& ledger);
/// The same for joints that follow others.
void stressCoupled(std::uint64_t seed, Ledger& ledger);
/// Goals of two levels: the second never costs the first.
void stressLevels(std::uint64_t seed, Ledger& ledger);
/// Batches: an answer depends on its own problem alone; starts and targets that are not finite.
void stressBatch(std::uint64_t seed, Ledger& ledger);
/// Every method: limits and true reports.
void stressMethods(std::uint64_t seed, Ledger& ledger);
/// Fits of skeletons to shapes of their skin.
void stressFits(std::uint64_t seed, Ledger& ledger);
/// Jacobians of points, wrenches and gradients of goals, against differences.
void stressDerivatives(std::uint64_t seed, Ledger& ledger);
/// Forward kinematics, limits, and the way from poses to coordinates and back.
void stressKinematics(std::uint64_t seed, Ledger& ledger);

}  // namespace ulna::test::stress
