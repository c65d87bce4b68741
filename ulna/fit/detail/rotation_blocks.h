// SPDX-License-Identifier: Apache-2.0

// M among the unknown rotations, and against what is known: as it is where translations stay
// unknowns of the system, or the constant Schur complement M - U S^-1 U^T once they are eliminated.
// The complement is dense, but a third of the unknowns smaller; M itself is as sparse as the tree
// of points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/best_translations.h"

namespace ulna::fit::detail {

enum class TranslationsAre : std::uint8_t { Kept, Eliminated };

class RotationBlocks {
  public:
    void build(const Unknowns& unknowns, const WeightMoments& moments,
               TranslationsAre translations);
    void weigh(const Unknowns& unknowns, const WeightMoments& moments,
               const BestTranslations& translations);

    /// Pairs of different unknown rotations that are connected, by their index among the unknown.
    [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
    [[nodiscard]] const Mat3& pair(std::size_t i) const { return blocks_[i]; }
    [[nodiscard]] const Mat3& own(std::size_t a) const { return own_[a]; }

    /// Pairs of an unknown rotation, by its index among the unknown, and a known one, by its index
    /// in the layout; and of an unknown rotation with the k-th known translation.
    [[nodiscard]] std::span<const Pair> knownPairs() const { return known_pairs_; }
    [[nodiscard]] const Mat3& knownPair(std::size_t i) const { return known_blocks_[i]; }
    [[nodiscard]] const Vec3& knownCross(std::size_t a, std::size_t k) const {
        return known_cross_[a * known_translations_ + k];
    }

  private:
    TranslationsAre translations_ = TranslationsAre::Kept;
    std::size_t known_translations_ = 0;
    std::vector<Pair> pairs_, known_pairs_;
    std::vector<Mat3> blocks_, own_, known_blocks_;
    std::vector<Vec3> known_cross_;  // unknown rotations x known translations
};

}  // namespace ulna::fit::detail
