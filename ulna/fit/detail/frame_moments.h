// SPDX-License-Identifier: Apache-2.0

// The moments of one frame, which hold all that its targets say: B_a = sum of m x v_a^T per
// rotation and P_t = sum of m x W_t per translation, of a rig whose constant moments are in
// detail/weight_moments.h. What is known in the frame is taken off, so that the unknown alone
// explain what is left.
#pragma once

#include <span>
#include <vector>

#include "ulna/fit/detail/rotation_blocks.h"

namespace ulna::fit::detail {

class FrameMoments {
  public:
    void build(const FitLayout& layout, const Unknowns& unknowns);

    /// Sums the moments of points into B and P.
    void gather(const FitLayout& layout, std::span<const Rows4> point_moments);
    /// Adds the pull of smoothness towards a reference.
    void addReference(const Unknowns& unknowns, const Springs& springs, const FitValues& reference);
    /// Takes off what the known rotations and translations in `values` explain, and, where
    /// translations are eliminated, what they do.
    void reduce(const Unknowns& unknowns, const WeightMoments& moments,
                const BestTranslations& translations, const RotationBlocks& blocks,
                TranslationsAre translations_are, const FitValues& values);
    /// Moves the target of an extra pin, given by its index, by so much.
    void shiftPin(const FitLayout& layout, const Unknowns& unknowns, const Springs& springs,
                  std::size_t pin, const Vec3& by);

    /// Per unknown rotation and unknown translation, once reduced.
    [[nodiscard]] const Mat3& rotation(std::size_t a) const { return rotations_[a]; }
    [[nodiscard]] const Vec3& translation(std::size_t t) const { return translations_[t]; }
    [[nodiscard]] std::span<const Vec3> translations() const { return translations_; }

  private:
    std::vector<Mat3> all_rotations_;     // B per rotation of the layout
    std::vector<Vec3> all_translations_;  // P per translation of the layout
    std::vector<Mat3> rotations_;         // reduced, per unknown
    std::vector<Vec3> translations_;
};

}  // namespace ulna::fit::detail
