// SPDX-License-Identifier: Apache-2.0

// Pins that the layout could not eliminate: several in one tree are conditions on its rotations.
//
// Each pin is a heavy vertex of its own whose target is shifted until the point is where it is
// pinned (the method of multipliers: Hestenes 1969, Powell 1969).
#pragma once

#include <span>
#include <vector>

#include "ulna/fit/detail/moments.h"
#include "ulna/fit/detail/normal_system.h"

namespace ulna::fit::detail {

class ExtraPins {
  public:
    /// @param coordinates of the system's steps.
    void build(const FitLayout& layout, std::size_t coordinates);
    /// Takes the positions where points are pinned, relative to the layout's origin, and aims at
    /// them.
    void setFrame(const FitLayout& layout, std::span<const Vec3> positions, Moments& moments);

    /// Shifts targets so that the step of the factored system brings the points, to first order,
    /// where they are pinned: the multipliers of the conditions, found together with the step.
    void aim(const FitLayout& layout, const FitValues& values, const NormalSystem& system,
             std::span<const double> descent, Moments& moments);
    /// Shifts targets by what the points miss.
    void shift(const FitLayout& layout, const FitValues& values, Moments& moments) const;

    /// The largest distance that a point misses.
    [[nodiscard]] double largestMiss(const FitLayout& layout, const FitValues& values) const;
    [[nodiscard]] bool empty() const { return positions_.empty(); }

  private:
    void computeRows(const FitLayout& layout, const FitValues& values, const Unknowns& unknowns);

    std::size_t coordinates_ = 0;
    std::vector<Vec3> positions_;    // where points are pinned
    std::vector<double> rows_;       // how each pin moves with the coordinates: 3 rows a pin
    std::vector<double> responses_;  // the system's answer to each row
    std::vector<double> matrix_, inverse_, null_;  // how shifts move the pins
    std::vector<double> misses_;
};

}  // namespace ulna::fit::detail
