// SPDX-License-Identifier: Apache-2.0

// The moments of a rig and a frame: all that its vertices and their targets say to an iteration.
//
// Vertices are linear in rotations and translations (detail/layout.h), so cost and derivatives need
// only sums over the vertices, formed once: the constant ones (detail/weight_moments.h), the best
// translations for given rotations (detail/best_translations.h), what is left among the unknown
// rotations (detail/rotation_blocks.h), and the frame's (detail/frame_moments.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/frame_moments.h"

namespace ulna::fit::detail {

/// What is left of the moments at some values: C_a = sum of m r v_a^T per unknown rotation, and
/// C_t = sum of m r W_t per unknown translation where these are kept.
struct ResidualMoments {
    std::vector<Mat3> rotations;
    std::vector<Vec3> translations;
};

class Moments {
  public:
    /// Finds what is connected. Allocates; weigh() computes values.
    void build(const FitLayout& layout, const VertexPack& pack, TranslationsAre translations);
    /// Computes everything that masses determine, with springs where `smoothness` is above 0.
    void weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
               double smoothness);
    /// Takes the moments of a frame, given by point. `values` has what is known; `reference`, where
    /// there is one, what smoothness pulls towards.
    void setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                  const FitValues& values, const FitValues* reference);
    /// Moves the target of an extra pin by so much.
    void shiftPin(const FitLayout& layout, std::size_t pin, const Vec3& by) {
        frame_.shiftPin(layout, unknowns_, springs_, pin, by);
    }

    /// The best positions for the rotations in `values`. What is not determined stays near `near`.
    void computePositions(FitValues& values, std::span<const Vec3> near) const {
        best_.compute(unknowns_, frame_.translations(), near, values);
    }
    void computeResidual(const FitValues& values, ResidualMoments& residual) const;

    [[nodiscard]] bool eliminated() const { return translations_ == TranslationsAre::Eliminated; }
    [[nodiscard]] const Unknowns& unknowns() const { return unknowns_; }
    [[nodiscard]] const RotationBlocks& blocks() const { return blocks_; }
    [[nodiscard]] const FrameMoments& frame() const { return frame_; }
    [[nodiscard]] const BestTranslations& translations() const { return best_; }
    [[nodiscard]] double mass() const { return points_.mass(); }
    [[nodiscard]] double pinMass() const { return springs_.pin_mass; }

    /// Pairs of an unknown rotation and an unknown translation that are connected, and pairs of
    /// unknown translations, by their indices among the unknown.
    [[nodiscard]] std::vector<Pair> crossPairs() const;
    [[nodiscard]] std::vector<Pair> translationPairs() const;
    /// U of unknown rotation a and unknown translation t, and S of unknown translations s and t.
    [[nodiscard]] const Vec3& cross(std::size_t a, std::size_t t) const {
        return weights_.cross(unknowns_.rotations[a], unknowns_.translations[t]);
    }
    [[nodiscard]] double translationPair(std::size_t s, std::size_t t) const {
        return weights_.translationPair(unknowns_.translations[s], unknowns_.translations[t]);
    }
    /// The inertia of unknown rotation a with positions held: what its block is measured by.
    [[nodiscard]] double rotationScale(std::size_t a) const;

  private:
    TranslationsAre translations_ = TranslationsAre::Kept;
    Unknowns unknowns_;
    PairMoments points_;
    WeightMoments weights_;
    Springs springs_;
    BestTranslations best_;
    RotationBlocks blocks_;
    FrameMoments frame_;
};

}  // namespace ulna::fit::detail
