// SPDX-License-Identifier: Apache-2.0

// The pull of every coordinate of a skeleton towards where a fit began: half the sum of stiffness
// times squared angle or length.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/solve/mechanism.h"

namespace ulna::fit::detail {

class SkeletonSmoothness {
  public:
    /// @param smoothness relative to what the vertices say of a coordinate; 0: no pull.
    explicit SkeletonSmoothness(double smoothness = 0.0) : smoothness_(smoothness) {}

    /// The fit begins here. The stiffness is taken from the first matrix of the fit.
    void begin(const MechanismState& state);
    /// Adds the pull at `now` to the lower triangle of the vertices' matrix and to their descent.
    void add(const Mechanism& mechanism, const MechanismState& now, std::span<double> matrix,
             std::span<double> descent);
    /// By how much the pull's cost changes between two states.
    [[nodiscard]] double costChange(const Mechanism& mechanism, const MechanismState& from,
                                    const MechanismState& to);

  private:
    void measureStiffness(const Mechanism& mechanism, std::span<const double> matrix);

    double smoothness_ = 0.0;
    MechanismState begin_;
    bool stiffness_is_measured_ = false;
    std::vector<double> stiffness_;          // per coordinate
    std::vector<double> distances_, other_;  // per coordinate: how far it is from the begin
};

}  // namespace ulna::fit::detail
