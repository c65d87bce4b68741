// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/moments.h"
#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {

void Moments::build(const FitLayout& layout, const VertexPack& pack, TranslationsAre translations) {
    translations_ = translations;
    unknowns_ = findUnknowns(layout);
    points_.build(pack);
    weights_.build(layout, points_);
    best_.build(layout, unknowns_);
    blocks_.build(unknowns_, weights_, translations);
    frame_.build(layout, unknowns_);
}

void Moments::weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
                    double smoothness) {
    points_.weigh(pack, masses);
    weights_.weigh(layout, points_);
    springs_.weigh(layout, unknowns_, points_.mass(), smoothness, weights_);
    best_.weigh(unknowns_, weights_);
    blocks_.weigh(unknowns_, weights_, best_);
}

void Moments::setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                       const FitValues& values, const FitValues* reference) {
    frame_.gather(layout, point_moments);
    if (reference != nullptr) frame_.addReference(unknowns_, springs_, *reference);
    frame_.reduce(unknowns_, weights_, best_, blocks_, translations_, values);
}

void Moments::computeResidual(const FitValues& values, ResidualMoments& residual) const {
    const std::vector<std::uint32_t>& own = unknowns_.rotations;
    for (std::size_t i = 0; i < own.size(); ++i) {
        residual.rotations[i] = frame_.rotation(i);
        residual.rotations[i] -= values.rotations[own[i]] * blocks_.own(i);
    }
    for (std::size_t i = 0; i < blocks_.pairs().size(); ++i) {
        const Pair& pair = blocks_.pairs()[i];
        const Mat3& m = blocks_.pair(i);
        residual.rotations[pair.a] -= timesTransposed(values.rotations[own[pair.b]], m);
        residual.rotations[pair.b] -= values.rotations[own[pair.a]] * m;
    }
    if (eliminated()) return;
    const std::vector<std::uint32_t>& moving = unknowns_.translations;
    for (std::size_t t = 0; t < moving.size(); ++t) {
        Vec3 sum = frame_.translation(t);
        for (std::size_t s = 0; s < moving.size(); ++s)
            sum -= values.positions[moving[s]] * translationPair(s, t);
        for (std::size_t i = 0; i < own.size(); ++i) {
            sum -= values.rotations[own[i]] * cross(i, t);
            addOuter(-values.positions[moving[t]], cross(i, t), residual.rotations[i]);
        }
        residual.translations[t] = sum;
    }
}

std::vector<Pair> Moments::crossPairs() const {
    std::vector<Pair> out;
    for (std::uint32_t t = 0; t < unknowns_.translations.size(); ++t)
        for (std::uint32_t a = 0; a < unknowns_.rotations.size(); ++a)
            if (weights_.crosses(unknowns_.rotations[a], unknowns_.translations[t]))
                out.push_back({a, t});
    return out;
}

std::vector<Pair> Moments::translationPairs() const {
    std::vector<Pair> out;
    for (std::uint32_t t = 0; t < unknowns_.translations.size(); ++t)
        for (std::uint32_t s = 0; s < t; ++s)
            if (weights_.joins(unknowns_.translations[s], unknowns_.translations[t]))
                out.push_back({s, t});
    return out;
}

double Moments::rotationScale(std::size_t a) const {
    return trace(weights_.own(unknowns_.rotations[a])) * (2.0 / 3.0);
}

}  // namespace ulna::fit::detail
