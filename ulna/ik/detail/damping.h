// SPDX-License-Identifier: Apache-2.0

// The rules of damping that single solves and lanes share. Measured on the problems of the
// benchmark.
#pragma once

namespace ulna::ik::detail {

// Damping starts at this multiple of the cost, and moves by these factors after accepted and
// rejected steps.
inline constexpr double kStartDamping = 0.5;
inline constexpr double kDampingFloor = 0.05;
inline constexpr double kGood = 0.5;
inline constexpr double kBad = 4.0;

// An attempt ends after so many steps in a row that lower the cost by less than this fraction.
inline constexpr int kSlowSteps = 4;
inline constexpr double kSlowProgress = 0.1;

// Steps of one attempt, where nobody says how many.
inline constexpr int kUsualSteps = 100;

}  // namespace ulna::ik::detail
