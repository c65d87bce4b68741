// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/frame_moments.h"

#include <algorithm>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {

void FrameMoments::build(const FitLayout& layout, const Unknowns& unknowns) {
    all_rotations_.assign(layout.rotations.size(), {});
    all_translations_.assign(layout.translations.size(), {});
    rotations_.assign(unknowns.rotations.size(), {});
    translations_.assign(unknowns.translations.size(), {});
}

void FrameMoments::gather(const FitLayout& layout, std::span<const Rows4> point_moments) {
    std::fill(all_rotations_.begin(), all_rotations_.end(), zeroMat3());
    std::fill(all_translations_.begin(), all_translations_.end(), Vec3{});
    for (std::size_t j = 0; j < point_moments.size(); ++j) {
        const Rows4& m = point_moments[j];
        const Vec3 last{m[0][3], m[1][3], m[2][3]};
        for (const RotationTerm& term : layout.termsOf(j)) {
            Mat3& sum = all_rotations_[term.rotation];
            if (term.linear != 0.0) {
                for (std::size_t r = 0; r < 3; ++r)
                    sum.rows[r] += Vec3{m[r][0], m[r][1], m[r][2]} * term.linear;
            }
            addOuter(last, term.offset, sum);
        }
        all_translations_[layout.translation_of[j]] += last;
    }
}

void FrameMoments::addReference(const Unknowns& unknowns, const Springs& springs,
                                const FitValues& reference) {
    for (std::size_t i = 0; i < unknowns.rotations.size(); ++i) {
        const std::uint32_t a = unknowns.rotations[i];
        all_rotations_[a] += reference.rotations[a] * springs.rotations[i];
    }
    for (std::size_t i = 0; i < unknowns.translations.size(); ++i) {
        const std::uint32_t t = unknowns.translations[i];
        all_translations_[t] += reference.positions[t] * springs.translations[i];
    }
}

void FrameMoments::reduce(const Unknowns& unknowns, const WeightMoments& moments,
                          const BestTranslations& translations, const RotationBlocks& blocks,
                          TranslationsAre translations_are, const FitValues& values) {
    for (std::size_t i = 0; i < translations_.size(); ++i) {
        const std::uint32_t t = unknowns.translations[i];
        Vec3 sum = all_translations_[t];
        for (const std::uint32_t known : unknowns.known_translations)
            sum -= values.positions[known] * moments.translationPair(t, known);
        for (std::size_t b = 0; b < all_rotations_.size(); ++b) {
            if (unknowns.index_of_rotation[b] == kNone)
                sum -= values.rotations[b] * moments.cross(b, t);
        }
        translations_[i] = sum;
    }
    const bool eliminated = translations_are == TranslationsAre::Eliminated;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
        const std::uint32_t a = unknowns.rotations[i];
        Mat3& sum = rotations_[i];
        sum = all_rotations_[a];
        for (std::size_t t = 0; eliminated && t < translations_.size(); ++t)
            addOuter(-all_translations_[unknowns.translations[t]], translations.response(a, t),
                     sum);
        for (std::size_t k = 0; k < unknowns.known_translations.size(); ++k)
            addOuter(-values.positions[unknowns.known_translations[k]], blocks.knownCross(i, k),
                     sum);
    }
    for (std::size_t i = 0; i < blocks.knownPairs().size(); ++i) {
        const Pair& pair = blocks.knownPairs()[i];
        rotations_[pair.a] -= timesTransposed(values.rotations[pair.b], blocks.knownPair(i));
    }
}

void FrameMoments::shiftPin(const FitLayout& layout, const Unknowns& unknowns,
                            const Springs& springs, std::size_t pin, const Vec3& by) {
    const std::uint32_t point = layout.extra_pins[pin].point;
    for (const RotationTerm& term : layout.termsOf(point)) {
        const std::uint32_t a = unknowns.index_of_rotation[term.rotation];
        if (a == kNone) continue;
        addOuter(by * springs.pin_mass, layout.arm(point, term), rotations_[a]);
    }
}

}  // namespace ulna::fit::detail
