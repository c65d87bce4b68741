// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/moments.h"

#include <algorithm>

#include "ulna/math/dense.h"
#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

// An extra pin weighs so much more than all vertices together. Its goal is shifted until it holds
// exactly, so this only steers the steps between.
constexpr double kPinMass = 10.0;

Vec3 lastColumn(const Rows4& m) {
    return {m[0][3], m[1][3], m[2][3]};
}

}  // namespace

void Moments::build(const FitLayout& layout, const VertexPack& pack, TranslationsAre translations) {
    eliminated_ = translations == TranslationsAre::Eliminated;
    point_count_ = pack.points;
    rotation_count_ = layout.rotations.size();
    translation_count_ = layout.translations.size();
    unknown_rotations_.clear();
    unknown_translations_.clear();
    known_translations_.clear();
    active_of_.assign(rotation_count_, kNone);
    for (std::uint32_t a = 0; a < rotation_count_; ++a) {
        if (layout.rotations[a].known) continue;
        active_of_[a] = static_cast<std::uint32_t>(unknown_rotations_.size());
        unknown_rotations_.push_back(a);
    }
    for (std::uint32_t t = 0; t < translation_count_; ++t)
        (layout.translations[t].known ? known_translations_ : unknown_translations_).push_back(t);
    findPointPairs(pack);
    findRotationPairs(layout);
    findPlacePairs(layout);

    const std::size_t unknown = unknown_translations_.size();
    blocks_.assign(rotation_pairs_.size(), {});
    cross_.assign(rotation_count_ * translation_count_, {});
    places_.assign(translation_count_ * translation_count_, 0.0);
    place_inverse_.assign(unknown * unknown, 0.0);
    place_null_ = unknown_places_ = place_inverse_;
    place_turns_.assign(rotation_count_ * unknown, {});
    known_cross_.assign(unknown_rotations_.size() * known_translations_.size(), {});
    pull_turns_.assign(unknown_rotations_.size(), 0.0);
    pull_places_.assign(unknown, 0.0);
    all_rotations_.assign(rotation_count_, {});
    all_places_.assign(translation_count_, {});
    frame_rotations_.assign(unknown_rotations_.size(), {});
    frame_places_.assign(unknown, {});
}

void Moments::findPointPairs(const VertexPack& pack) {
    point_pairs_.clear();
    point_pair_at_.assign(point_count_ * point_count_, kNone);
    for (std::size_t i = 0; i < pack.vertexCount(); ++i) {
        for (std::uint32_t p = pack.first[i]; p < pack.first[i + 1]; ++p) {
            for (std::uint32_t q = pack.first[i]; q < pack.first[i + 1]; ++q) {
                const std::uint32_t j = pack.point[p], k = pack.point[q];
                std::uint32_t& at = point_pair_at_[j * point_count_ + k];
                if (j > k || at != kNone) continue;
                at = static_cast<std::uint32_t>(point_pairs_.size());
                point_pair_at_[k * point_count_ + j] = at;
                point_pairs_.push_back({j, k});
            }
        }
    }
    point_moments_.assign(point_pairs_.size(), {});
}

void Moments::findRotationPairs(const FitLayout& layout) {
    rotation_pair_at_.assign(rotation_count_ * rotation_count_, kNone);
    const auto connect = [&](std::uint32_t j, std::uint32_t k) {
        for (const RotationTerm& s : layout.termsOf(j)) {
            for (const RotationTerm& t : layout.termsOf(k)) {
                rotation_pair_at_[s.rotation * rotation_count_ + t.rotation] = 0;
                rotation_pair_at_[t.rotation * rotation_count_ + s.rotation] = 0;
            }
        }
    };
    for (const Pair& pair : point_pairs_) connect(pair.a, pair.b);
    for (const ExtraPin& pin : layout.extra_pins) connect(pin.point, pin.point);
    rotation_pairs_.clear();
    active_pairs_.clear();
    active_source_.clear();
    known_pairs_.clear();
    known_source_.clear();
    for (std::uint32_t a = 0; a < rotation_count_; ++a) {
        for (std::uint32_t b = a; b < rotation_count_; ++b) {
            std::uint32_t& at = rotation_pair_at_[a * rotation_count_ + b];
            const bool both = active_of_[a] != kNone && active_of_[b] != kNone;
            if (at != kNone || a == b) {
                at = static_cast<std::uint32_t>(rotation_pairs_.size());
                rotation_pair_at_[b * rotation_count_ + a] = at;
                rotation_pairs_.push_back({a, b});
            }
            if (a == b || (at == kNone && !eliminated_)) continue;
            if (both) {
                active_pairs_.push_back({active_of_[a], active_of_[b]});
                active_source_.push_back(at);
            } else if (active_of_[a] != kNone) {
                known_pairs_.push_back({active_of_[a], b});
                known_source_.push_back(at);
            } else if (active_of_[b] != kNone) {
                known_pairs_.push_back({active_of_[b], a});
                known_source_.push_back(at);
            }
        }
    }
    active_blocks_.assign(active_pairs_.size(), {});
    known_blocks_.assign(known_pairs_.size(), {});
    own_blocks_.assign(unknown_rotations_.size(), {});
}

void Moments::findPlacePairs(const FitLayout& layout) {
    std::vector<std::uint8_t> crossed(rotation_count_ * translation_count_, 0);
    std::vector<std::uint8_t> paired(translation_count_ * translation_count_, 0);
    for (const Pair& pair : point_pairs_) {
        const std::uint32_t s = layout.translation_of[pair.a], t = layout.translation_of[pair.b];
        for (const RotationTerm& term : layout.termsOf(pair.a))
            crossed[term.rotation * translation_count_ + t] = 1;
        for (const RotationTerm& term : layout.termsOf(pair.b))
            crossed[term.rotation * translation_count_ + s] = 1;
        paired[std::min(s, t) * translation_count_ + std::max(s, t)] = 1;
    }
    cross_pairs_.clear();
    place_pairs_.clear();
    for (std::uint32_t t = 0; t < unknown_translations_.size(); ++t) {
        const std::uint32_t at = unknown_translations_[t];
        for (std::uint32_t a = 0; a < unknown_rotations_.size(); ++a) {
            if (crossed[unknown_rotations_[a] * translation_count_ + at])
                cross_pairs_.push_back({a, t});
        }
        for (std::uint32_t s = 0; s < t; ++s) {
            if (paired[unknown_translations_[s] * translation_count_ + at])
                place_pairs_.push_back({s, t});
        }
    }
}

void Moments::computePointPairs(const VertexPack& pack, std::span<const double> masses) {
    std::fill(point_moments_.begin(), point_moments_.end(), Sym4{});
    for (std::size_t i = 0; i < pack.vertexCount(); ++i) {
        if (!(masses[i] > 0.0)) continue;
        const Row4& x = pack.rest[i];
        const Sym4 square = {x[0] * x[0], x[0] * x[1], x[0] * x[2], x[0], x[1] * x[1],
                             x[1] * x[2], x[1],        x[2] * x[2], x[2], 1.0};
        for (std::uint32_t p = pack.first[i]; p < pack.first[i + 1]; ++p) {
            const double mass = masses[i] * pack.weight[p];
            const std::uint32_t* row = point_pair_at_.data() + pack.point[p] * point_count_;
            for (std::uint32_t q = pack.first[i]; q <= p; ++q) {
                const double factor = mass * pack.weight[q];
                Sym4& sum = point_moments_[row[pack.point[q]]];
                for (std::size_t e = 0; e < 10; ++e) sum[e] += factor * square[e];
            }
        }
    }
}

void Moments::spreadPointPair(const FitLayout& layout, std::uint32_t j, std::uint32_t k,
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
            Mat3& block = blocks_[rotation_pair_at_[s.rotation * rotation_count_ + t.rotation]];
            if (s.linear * t.linear != 0.0) block += square * (s.linear * t.linear);
            addOuter(first * s.linear + s.offset * zeroth, t.offset, block);
            if (t.linear != 0.0) addOuter(s.offset, first * t.linear, block);
        }
        cross_[s.rotation * translation_count_ + layout.translation_of[k]] +=
            first * s.linear + s.offset * zeroth;
    }
    places_[layout.translation_of[j] * translation_count_ + layout.translation_of[k]] += zeroth;
}

void Moments::addPins(const FitLayout& layout) {
    pin_mass_ = kPinMass * std::max(mass_, 1e-300);
    for (const ExtraPin& pin : layout.extra_pins) {
        for (const RotationTerm& s : layout.termsOf(pin.point)) {
            const Vec3 arm = layout.arm(pin.point, s) * pin_mass_;
            cross_[s.rotation * translation_count_ + layout.translation_of[pin.point]] += arm;
            for (const RotationTerm& t : layout.termsOf(pin.point)) {
                if (s.rotation > t.rotation) continue;
                addOuter(arm, layout.arm(pin.point, t),
                         blocks_[rotation_pair_at_[s.rotation * rotation_count_ + t.rotation]]);
            }
        }
    }
}

void Moments::addPull(double smoothness) {
    for (std::size_t a = 0; a < unknown_rotations_.size(); ++a) {
        const std::uint32_t rotation = unknown_rotations_[a];
        Mat3& own = blocks_[rotation_pair_at_[rotation * rotation_count_ + rotation]];
        pull_turns_[a] = smoothness * (own.rows[0].x + own.rows[1].y + own.rows[2].z) / 3.0;
        for (std::size_t i = 0; i < 3; ++i) own.rows[i][i] += pull_turns_[a];
    }
    for (std::size_t t = 0; t < unknown_translations_.size(); ++t) {
        const std::uint32_t at = unknown_translations_[t];
        double& own = places_[at * translation_count_ + at];
        pull_places_[t] = smoothness * own;
        own += pull_places_[t];
    }
}

void Moments::invertPlaces() {
    const std::size_t n = unknown_translations_.size();
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t t = 0; t < n; ++t) unknown_places_[s * n + t] = placeMoment(s, t);
    place_rank_ = pseudoInverse(unknown_places_, n, place_inverse_, place_null_);
    for (std::size_t a = 0; a < rotation_count_; ++a) {
        for (std::size_t t = 0; t < n; ++t) {
            Vec3 sum;
            for (std::size_t s = 0; s < n; ++s) {
                sum += cross_[a * translation_count_ + unknown_translations_[s]] *
                       place_inverse_[t * n + s];
            }
            place_turns_[a * n + t] = sum;
        }
    }
}

void Moments::eliminatePlaces() {
    const std::size_t n = unknown_translations_.size();
    const auto block = [&](std::uint32_t source, std::uint32_t a, std::uint32_t b) {
        Mat3 out = source == kNone ? zeroMat3() : blocks_[source];
        if (a > b && source != kNone) out = transpose(out);
        if (!eliminated_) return out;
        for (std::size_t t = 0; t < n; ++t) {
            addOuter(-cross_[a * translation_count_ + unknown_translations_[t]],
                     place_turns_[b * n + t], out);
        }
        return out;
    };
    for (std::size_t i = 0; i < active_pairs_.size(); ++i) {
        active_blocks_[i] = block(active_source_[i], unknown_rotations_[active_pairs_[i].a],
                                  unknown_rotations_[active_pairs_[i].b]);
    }
    for (std::size_t i = 0; i < known_pairs_.size(); ++i) {
        known_blocks_[i] =
            block(known_source_[i], unknown_rotations_[known_pairs_[i].a], known_pairs_[i].b);
    }
    for (std::size_t i = 0; i < unknown_rotations_.size(); ++i) {
        const std::uint32_t a = unknown_rotations_[i];
        own_blocks_[i] = block(rotation_pair_at_[a * rotation_count_ + a], a, a);
        for (std::size_t k = 0; k < known_translations_.size(); ++k) {
            const std::uint32_t known = known_translations_[k];
            Vec3 sum = cross_[a * translation_count_ + known];
            for (std::size_t t = 0; eliminated_ && t < n; ++t) {
                sum -= place_turns_[a * n + t] *
                       places_[unknown_translations_[t] * translation_count_ + known];
            }
            known_cross_[i * known_translations_.size() + k] = sum;
        }
    }
}

void Moments::weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
                    double smoothness) {
    mass_ = 0.0;
    for (const double m : masses) mass_ += m;
    computePointPairs(pack, masses);
    std::fill(blocks_.begin(), blocks_.end(), zeroMat3());
    std::fill(cross_.begin(), cross_.end(), Vec3{});
    std::fill(places_.begin(), places_.end(), 0.0);
    for (std::size_t i = 0; i < point_pairs_.size(); ++i) {
        const Pair& pair = point_pairs_[i];
        spreadPointPair(layout, pair.a, pair.b, point_moments_[i]);
        if (pair.a != pair.b) spreadPointPair(layout, pair.b, pair.a, point_moments_[i]);
    }
    addPull(smoothness);
    addPins(layout);
    invertPlaces();
    eliminatePlaces();
}

void Moments::setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                       const FitValues& values, const FitValues* reference) {
    std::fill(all_rotations_.begin(), all_rotations_.end(), zeroMat3());
    std::fill(all_places_.begin(), all_places_.end(), Vec3{});
    for (std::size_t j = 0; j < point_count_; ++j) {
        const Rows4& m = point_moments[j];
        const Vec3 last = lastColumn(m);
        for (const RotationTerm& term : layout.termsOf(j)) {
            Mat3& sum = all_rotations_[term.rotation];
            if (term.linear != 0.0) {
                for (std::size_t r = 0; r < 3; ++r)
                    sum.rows[r] += Vec3{m[r][0], m[r][1], m[r][2]} * term.linear;
            }
            addOuter(last, term.offset, sum);
        }
        all_places_[layout.translation_of[j]] += last;
    }
    for (std::size_t a = 0; reference && a < unknown_rotations_.size(); ++a) {
        const std::uint32_t rotation = unknown_rotations_[a];
        all_rotations_[rotation] += reference->turns[rotation] * pull_turns_[a];
    }
    for (std::size_t t = 0; reference && t < unknown_translations_.size(); ++t) {
        const std::uint32_t at = unknown_translations_[t];
        all_places_[at] += reference->places[at] * pull_places_[t];
    }

    const std::size_t n = unknown_translations_.size();
    for (std::size_t t = 0; t < n; ++t) {
        const std::uint32_t at = unknown_translations_[t];
        Vec3 sum = all_places_[at];
        for (const std::uint32_t known : known_translations_)
            sum -= values.places[known] * places_[at * translation_count_ + known];
        for (std::size_t b = 0; b < rotation_count_; ++b) {
            if (active_of_[b] == kNone)
                sum -= values.turns[b] * cross_[b * translation_count_ + at];
        }
        frame_places_[t] = sum;
    }
    for (std::size_t i = 0; i < unknown_rotations_.size(); ++i) {
        const std::uint32_t a = unknown_rotations_[i];
        Mat3& sum = frame_rotations_[i];
        sum = all_rotations_[a];
        for (std::size_t t = 0; eliminated_ && t < n; ++t)
            addOuter(-all_places_[unknown_translations_[t]], place_turns_[a * n + t], sum);
        for (std::size_t k = 0; k < known_translations_.size(); ++k) {
            addOuter(-values.places[known_translations_[k]],
                     known_cross_[i * known_translations_.size() + k], sum);
        }
    }
    for (std::size_t i = 0; i < known_pairs_.size(); ++i) {
        frame_rotations_[known_pairs_[i].a] -=
            timesTransposed(values.turns[known_pairs_[i].b], known_blocks_[i]);
    }
}

void Moments::shiftPin(const FitLayout& layout, std::size_t pin, const Vec3& by) {
    const std::uint32_t point = layout.extra_pins[pin].point;
    for (const RotationTerm& term : layout.termsOf(point)) {
        if (active_of_[term.rotation] == kNone) continue;
        addOuter(by * pin_mass_, layout.arm(point, term),
                 frame_rotations_[active_of_[term.rotation]]);
    }
}

void Moments::computePlaces(FitValues& values, std::span<const Vec3> near) const {
    const std::size_t n = unknown_translations_.size();
    for (std::size_t t = 0; t < n; ++t) {
        Vec3 sum;
        for (std::size_t s = 0; s < n; ++s) {
            sum += frame_places_[s] * place_inverse_[t * n + s];
            if (place_rank_ < n) sum += near[unknown_translations_[s]] * place_null_[t * n + s];
        }
        for (const std::uint32_t a : unknown_rotations_)
            sum -= values.turns[a] * place_turns_[a * n + t];
        values.places[unknown_translations_[t]] = sum;
    }
}

void Moments::computeResidual(const FitValues& values, std::span<Mat3> rotations,
                              std::span<Vec3> translations) const {
    const std::size_t count = unknown_rotations_.size();
    for (std::size_t i = 0; i < count; ++i) {
        rotations[i] = frame_rotations_[i];
        rotations[i] -= values.turns[unknown_rotations_[i]] * own_blocks_[i];
    }
    for (std::size_t i = 0; i < active_pairs_.size(); ++i) {
        const Pair& pair = active_pairs_[i];
        const Mat3& m = active_blocks_[i];
        rotations[pair.a] -= timesTransposed(values.turns[unknown_rotations_[pair.b]], m);
        rotations[pair.b] -= values.turns[unknown_rotations_[pair.a]] * m;
    }
    if (eliminated_) return;
    const std::size_t n = unknown_translations_.size();
    for (std::size_t t = 0; t < n; ++t) {
        Vec3 sum = frame_places_[t];
        for (std::size_t s = 0; s < n; ++s)
            sum -= values.places[unknown_translations_[s]] * placeMoment(s, t);
        for (std::size_t i = 0; i < count; ++i) {
            sum -= values.turns[unknown_rotations_[i]] * crossMoment(i, t);
            addOuter(-values.places[unknown_translations_[t]], crossMoment(i, t), rotations[i]);
        }
        translations[t] = sum;
    }
}

double Moments::ownScale(std::size_t a) const {
    const std::uint32_t rotation = unknown_rotations_[a];
    const Mat3& own = blocks_[rotation_pair_at_[rotation * rotation_count_ + rotation]];
    return (own.rows[0].x + own.rows[1].y + own.rows[2].z) * (2.0 / 3.0);
}

bool Moments::placeIsOpen(std::size_t t) const {
    const std::size_t n = unknown_translations_.size();
    return place_rank_ < n && place_null_[t * n + t] > 1e-6;
}

}  // namespace ulna::fit::detail
