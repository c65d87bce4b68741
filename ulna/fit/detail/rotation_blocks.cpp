// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/rotation_blocks.h"
#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {

void RotationBlocks::build(const Unknowns& unknowns, const WeightMoments& moments,
                           TranslationsAre translations) {
    translations_ = translations;
    known_translations_ = unknowns.known_translations.size();
    pairs_.clear();
    known_pairs_.clear();
    const std::vector<std::uint32_t>& index_of = unknowns.index_of_rotation;
    for (std::uint32_t a = 0; a < index_of.size(); ++a) {
        for (std::uint32_t b = a + 1; b < index_of.size(); ++b) {
            // Eliminated translations tie every rotation to every other.
            if (moments.pairAt(a, b) == kNone && translations == TranslationsAre::Kept) continue;
            if (index_of[a] != kNone && index_of[b] != kNone)
                pairs_.push_back({index_of[a], index_of[b]});
            else if (index_of[a] != kNone)
                known_pairs_.push_back({index_of[a], b});
            else if (index_of[b] != kNone)
                known_pairs_.push_back({index_of[b], a});
        }
    }
    blocks_.assign(pairs_.size(), {});
    known_blocks_.assign(known_pairs_.size(), {});
    own_.assign(unknowns.rotations.size(), {});
    known_cross_.assign(unknowns.rotations.size() * known_translations_, {});
}

void RotationBlocks::weigh(const Unknowns& unknowns, const WeightMoments& moments,
                           const BestTranslations& translations) {
    const bool eliminated = translations_ == TranslationsAre::Eliminated;
    const std::size_t count = eliminated ? unknowns.translations.size() : 0;
    const auto block = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t pair = moments.pairAt(a, b);
        Mat3 out = pair == kNone ? zeroMat3() : moments.rotationPair(pair);
        if (a > b && pair != kNone) out = transpose(out);
        for (std::size_t t = 0; t < count; ++t)
            addOuter(-moments.cross(a, unknowns.translations[t]), translations.response(b, t), out);
        return out;
    };
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        blocks_[i] = block(unknowns.rotations[pairs_[i].a], unknowns.rotations[pairs_[i].b]);
    for (std::size_t i = 0; i < known_pairs_.size(); ++i)
        known_blocks_[i] = block(unknowns.rotations[known_pairs_[i].a], known_pairs_[i].b);
    for (std::size_t i = 0; i < own_.size(); ++i) {
        const std::uint32_t a = unknowns.rotations[i];
        own_[i] = block(a, a);
        for (std::size_t k = 0; k < known_translations_; ++k) {
            const std::uint32_t known = unknowns.known_translations[k];
            Vec3 sum = moments.cross(a, known);
            for (std::size_t t = 0; t < count; ++t) {
                sum -= translations.response(a, t) *
                       moments.translationPair(unknowns.translations[t], known);
            }
            known_cross_[i * known_translations_ + k] = sum;
        }
    }
}

}  // namespace ulna::fit::detail
