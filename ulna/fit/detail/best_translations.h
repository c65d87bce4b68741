// SPDX-License-Identifier: Apache-2.0

// The unknown translations as a closed form of the rotations: d = S^-1 (P - sum of R_a U_a), with
// S, U as in detail/weight_moments.h and P the frame's. Variable projection (Golub and Pereyra
// 1973) eliminates them with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/weight_moments.h"

namespace ulna::fit::detail {

class BestTranslations {
  public:
    void build(const FitLayout& layout, const Unknowns& unknowns);
    /// Inverts S on what it determines.
    void weigh(const Unknowns& unknowns, const WeightMoments& moments);

    /// The best positions of the unknown translations for the rotations in `values`, where the
    /// frame's P is `frame`. What the vertices do not determine stays near `near`, which has a
    /// position per translation of the layout.
    void compute(const Unknowns& unknowns, std::span<const Vec3> frame, std::span<const Vec3> near,
                 FitValues& values) const;

    /// F = U S^-1 of any rotation and an unknown translation: what a rotation takes from it.
    [[nodiscard]] const Vec3& response(std::size_t rotation, std::size_t t) const {
        return response_[rotation * count_ + t];
    }
    /// How many of the unknown translations the vertices determine.
    [[nodiscard]] std::size_t rank() const { return rank_; }
    /// Whether the vertices leave an unknown translation open.
    [[nodiscard]] bool isOpen(std::size_t t) const;

  private:
    std::size_t rotations_ = 0, count_ = 0;
    std::vector<double> squares_, inverse_, null_;  // of S among the unknown
    std::vector<Vec3> response_;                    // rotations x unknown translations
    std::size_t rank_ = 0;
};

}  // namespace ulna::fit::detail
