// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/weight_moments.h"

#include <algorithm>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

// An extra pin weighs so much more than all vertices together. Its goal is shifted until it holds
// exactly, so this only steers the steps between.
constexpr double kPinMass = 10.0;

void addPins(const FitLayout& layout, double pin_mass, WeightMoments& moments) {
    for (const ExtraPin& pin : layout.extra_pins) {
        for (const RotationTerm& s : layout.termsOf(pin.point)) {
            const Vec3 arm = layout.arm(pin.point, s) * pin_mass;
            moments.cross(s.rotation, layout.translation_of[pin.point]) += arm;
            for (const RotationTerm& t : layout.termsOf(pin.point)) {
                if (s.rotation > t.rotation) continue;
                addOuter(arm, layout.arm(pin.point, t),
                         moments.rotationPair(moments.pairAt(s.rotation, t.rotation)));
            }
        }
    }
}

}  // namespace

void WeightMoments::build(const FitLayout& layout, const PairMoments& points) {
    rotations_ = layout.rotations.size();
    translations_ = layout.translations.size();
    pair_at_.assign(rotations_ * rotations_, kNone);
    crosses_.assign(rotations_ * translations_, 0);
    joins_.assign(translations_ * translations_, 0);
    const auto connect = [&](std::uint32_t j, std::uint32_t k) {
        for (const RotationTerm& s : layout.termsOf(j)) {
            for (const RotationTerm& t : layout.termsOf(k)) {
                pair_at_[s.rotation * rotations_ + t.rotation] = 0;
                pair_at_[t.rotation * rotations_ + s.rotation] = 0;
            }
        }
    };
    for (const Pair& pair : points.pairs()) {
        connect(pair.a, pair.b);
        const std::uint32_t s = layout.translation_of[pair.a], t = layout.translation_of[pair.b];
        for (const RotationTerm& term : layout.termsOf(pair.a))
            crosses_[term.rotation * translations_ + t] = 1;
        for (const RotationTerm& term : layout.termsOf(pair.b))
            crosses_[term.rotation * translations_ + s] = 1;
        joins_[std::min(s, t) * translations_ + std::max(s, t)] = 1;
    }
    for (const ExtraPin& pin : layout.extra_pins) connect(pin.point, pin.point);
    std::uint32_t count = 0;
    for (std::size_t a = 0; a < rotations_; ++a) {
        for (std::size_t b = a; b < rotations_; ++b) {
            if (pairAt(a, b) == kNone && a != b) continue;
            pair_at_[a * rotations_ + b] = pair_at_[b * rotations_ + a] = count++;
        }
    }
    blocks_.assign(count, {});
    cross_.assign(rotations_ * translations_, {});
    squares_.assign(translations_ * translations_, 0.0);
}

void WeightMoments::spread(const FitLayout& layout, std::uint32_t j, std::uint32_t k,
                           const Sym4& m) {
    Mat3 square;
    square.rows[0] = {m[0], m[1], m[2]};
    square.rows[1] = {m[1], m[4], m[5]};
    square.rows[2] = {m[2], m[5], m[7]};
    const Vec3 first{m[3], m[6], m[8]};
    const double zeroth = m[9];
    for (const RotationTerm& s : layout.termsOf(j)) {
        for (const RotationTerm& t : layout.termsOf(k)) {
            if (s.rotation > t.rotation) continue;
            Mat3& block = blocks_[pairAt(s.rotation, t.rotation)];
            if (s.linear * t.linear != 0.0) block += square * (s.linear * t.linear);
            addOuter(first * s.linear + s.offset * zeroth, t.offset, block);
            if (t.linear != 0.0) addOuter(s.offset, first * t.linear, block);
        }
        cross(s.rotation, layout.translation_of[k]) += first * s.linear + s.offset * zeroth;
    }
    translationPair(layout.translation_of[j], layout.translation_of[k]) += zeroth;
}

void WeightMoments::weigh(const FitLayout& layout, const PairMoments& points) {
    std::fill(blocks_.begin(), blocks_.end(), zeroMat3());
    std::fill(cross_.begin(), cross_.end(), Vec3{});
    std::fill(squares_.begin(), squares_.end(), 0.0);
    for (std::size_t i = 0; i < points.pairs().size(); ++i) {
        const Pair& pair = points.pairs()[i];
        spread(layout, pair.a, pair.b, points.moment(i));
        if (pair.a != pair.b) spread(layout, pair.b, pair.a, points.moment(i));
    }
}

void Springs::weigh(const FitLayout& layout, const Unknowns& unknowns, double mass,
                    double smoothness, WeightMoments& moments) {
    rotations.resize(unknowns.rotations.size());
    translations.resize(unknowns.translations.size());
    for (std::size_t i = 0; i < rotations.size(); ++i) {
        Mat3& own = moments.own(unknowns.rotations[i]);
        rotations[i] = smoothness * trace(own) / 3.0;
        for (std::size_t k = 0; k < 3; ++k) own.rows[k][k] += rotations[i];
    }
    for (std::size_t i = 0; i < translations.size(); ++i) {
        const std::uint32_t t = unknowns.translations[i];
        double& own = moments.translationPair(t, t);
        translations[i] = smoothness * own;
        own += translations[i];
    }
    pin_mass = kPinMass * std::max(mass, 1e-300);
    addPins(layout, pin_mass, moments);
}

}  // namespace ulna::fit::detail
