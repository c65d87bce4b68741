// SPDX-License-Identifier: Apache-2.0

// The rules of damping that single solves and lanes share, measured on the problems of the
// benchmark.
#pragma once

#include <algorithm>

namespace ulna::ik::detail {

// Damping starts at this multiple of the cost, never falls below the least one, and moves by these
// factors after accepted and rejected steps.
inline constexpr double kStartDamping = 0.5;
inline constexpr double kLeastMultiple = 0.05;
inline constexpr double kGood = 0.5;
inline constexpr double kBad = 4.0;

/// The damping of a descent: a multiple of the cost (Sugihara 2011), which falls after accepted
/// steps and rises after rejected ones.
struct Damping {
    explicit Damping(double reach) : floor(kFloor * reach * reach) {}

    [[nodiscard]] double at(double cost) const { return multiple * cost + floor; }
    void raise() { multiple *= kBad; }
    void lower() { multiple = std::max(multiple * kGood, kLeastMultiple); }

    // Relative to the squared reach: keeps the dual system definite where the cost is nearly zero.
    static constexpr double kFloor = 1e-12;

    double multiple = kStartDamping;
    double floor = 0.0;
};

// An attempt ends after so many steps in a row that lower the cost by less than this fraction.
inline constexpr int kSlowSteps = 4;
inline constexpr double kSlowProgress = 0.1;
// The same where the goals are met and a posture alone is not at rest.
inline constexpr double kSettledProgress = 1e-4;

// Steps of one attempt, where nobody says how many.
inline constexpr int kUsualSteps = 100;

}  // namespace ulna::ik::detail
