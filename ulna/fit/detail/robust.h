// SPDX-License-Identifier: Apache-2.0

// Robust losses as masses: each round weighs vertices by how far they were left in the round
// before (iteratively reweighted least squares, Holland and Welsch 1977).
#pragma once

#include <span>
#include <vector>

#include "ulna/fit/options.h"
#include "ulna/fit/report.h"

namespace ulna::fit::detail {

inline constexpr int kMostRounds = 40;

class RobustMasses {
  public:
    /// @param least_scale a length below which distances are rounding.
    void setUp(FitLoss loss, double scale, bool planar, double least_scale);

    /// Weighs `base` by the distances into `out`; returns the largest change of a factor since the
    /// round before, 1 at first.
    double weigh(std::span<const double> base, std::span<const double> distances,
                 std::span<double> out);
    void restart() { factors_.clear(); }

    /// What the loss makes of these distances, of vertices with these masses.
    [[nodiscard]] RobustFit examine(std::span<const double> base,
                                    std::span<const double> distances);

  private:
    /// Of the distances of vertices that count; 0 where none does.
    [[nodiscard]] double medianOf(std::span<const double> base, std::span<const double> distances);
    [[nodiscard]] double scaleFor(double median) const;
    /// The scale in standard deviations of the noise.
    [[nodiscard]] double scalePerSigma() const;
    [[nodiscard]] double factor(double ratio) const;

    FitLoss loss_ = FitLoss::Squares;
    double scale_ = 0.0, least_scale_ = 0.0, median_per_sigma_ = 1.0;
    std::vector<double> factors_, sorted_;
};

}  // namespace ulna::fit::detail
