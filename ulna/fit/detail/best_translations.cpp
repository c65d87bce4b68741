// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/best_translations.h"

#include "ulna/math/dense.h"

namespace ulna::fit::detail {
namespace {

// The projector onto what is open has 0 or more on its diagonal; rounding leaves far less there.
constexpr double kOpen = 1e-6;

}  // namespace

void BestTranslations::build(const FitLayout& layout, const Unknowns& unknowns) {
    rotations_ = layout.rotations.size();
    count_ = unknowns.translations.size();
    squares_.assign(count_ * count_, 0.0);
    inverse_ = null_ = squares_;
    response_.assign(rotations_ * count_, {});
    rank_ = 0;
}

void BestTranslations::weigh(const Unknowns& unknowns, const WeightMoments& moments) {
    const std::vector<std::uint32_t>& own = unknowns.translations;
    for (std::size_t s = 0; s < count_; ++s)
        for (std::size_t t = 0; t < count_; ++t)
            squares_[s * count_ + t] = moments.translationPair(own[s], own[t]);
    rank_ = pseudoInverse(squares_, count_, inverse_, null_);
    for (std::size_t a = 0; a < rotations_; ++a) {
        for (std::size_t t = 0; t < count_; ++t) {
            Vec3 sum;
            for (std::size_t s = 0; s < count_; ++s)
                sum += moments.cross(a, own[s]) * inverse_[t * count_ + s];
            response_[a * count_ + t] = sum;
        }
    }
}

void BestTranslations::compute(const Unknowns& unknowns, std::span<const Vec3> frame,
                               std::span<const Vec3> near, FitValues& values) const {
    for (std::size_t t = 0; t < count_; ++t) {
        Vec3 sum;
        for (std::size_t s = 0; s < count_; ++s) {
            sum += frame[s] * inverse_[t * count_ + s];
            if (rank_ < count_) sum += near[unknowns.translations[s]] * null_[t * count_ + s];
        }
        for (const std::uint32_t a : unknowns.rotations)
            sum -= values.rotations[a] * response_[a * count_ + t];
        values.positions[unknowns.translations[t]] = sum;
    }
}

bool BestTranslations::isOpen(std::size_t t) const {
    return rank_ < count_ && null_[t * count_ + t] > kOpen;
}

}  // namespace ulna::fit::detail
