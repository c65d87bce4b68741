// SPDX-License-Identifier: Apache-2.0

// The moments of a rig: all that its vertices say to an iteration.
//
// Vertices are linear in rotations and translations (detail/layout.h): x = sum R_a v_a + sum W_t
// d_t, with v and W constant per vertex. So the cost needs only M_ab = sum m v_a v_b^T,
// U_at = sum m v_a W_t, S_tu = sum m W_t W_u, and of a frame B_a = sum m x v_a^T and
// P_t = sum m x W_t. They are put together from moments of points, sum m w_j w_k [x;1][x;1]^T.
//
// Positions that are free to move have a closed form in the rotations. Eliminated, they turn M into
// a constant Schur complement, dense, but a third of the unknowns smaller; kept, M stays as sparse
// as a tree of points is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/layout.h"
#include "ulna/fit/detail/vertex_pack.h"

namespace ulna::fit::detail {

enum class TranslationsAre : std::uint8_t { Kept, Eliminated };

/// Values of all rotations and translations of a layout.
struct FitValues {
    std::vector<Quat> quats;   // per rotation
    std::vector<Mat3> turns;   // the same
    std::vector<Vec3> places;  // per translation, relative to the origin
};

class Moments {
  public:
    struct Pair {
        std::uint32_t a = 0, b = 0;
    };

    /// Finds what is connected. Allocates; the numbers come with weigh().
    void build(const FitLayout& layout, const VertexPack& pack, TranslationsAre translations);
    /// Computes everything that masses determine. With `smoothness` above 0, the pull of it.
    void weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
               double smoothness);
    /// Takes the moments of a frame, given by point. `values` has what is known; `reference` what
    /// smoothness pulls to.
    void setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                  const FitValues& values, const FitValues* reference);
    /// Moves the goal of an extra pin, counted in extra_pins, by so much.
    void shiftPin(const FitLayout& layout, std::size_t pin, const Vec3& by);

    /// The best positions for the rotations in `values`. What is not determined stays near `near`.
    void computePlaces(FitValues& values, std::span<const Vec3> near) const;
    /// C_a = sum m r v_a^T per unknown rotation, and C_t = sum m r W_t per unknown translation that
    /// is kept.
    void computeResidual(const FitValues& values, std::span<Mat3> rotations,
                         std::span<Vec3> translations) const;

    [[nodiscard]] bool eliminated() const { return eliminated_; }
    /// Rotations and translations that are looked for, by number in the layout.
    [[nodiscard]] std::span<const std::uint32_t> rotations() const { return unknown_rotations_; }
    [[nodiscard]] std::span<const std::uint32_t> translations() const {
        return unknown_translations_;
    }
    /// Pairs of different unknown rotations that are connected, by their number among the unknown.
    [[nodiscard]] std::span<const Pair> pairs() const { return active_pairs_; }
    /// Unknown rotations and translations that are connected, and pairs of unknown translations.
    [[nodiscard]] std::span<const Pair> crossPairs() const { return cross_pairs_; }
    [[nodiscard]] std::span<const Pair> placePairs() const { return place_pairs_; }
    [[nodiscard]] const Mat3& pairMoment(std::size_t i) const { return active_blocks_[i]; }
    [[nodiscard]] const Mat3& ownMoment(std::size_t a) const { return own_blocks_[a]; }
    /// The inertia of unknown rotation a, positions held: what its block is to be measured by.
    [[nodiscard]] double ownScale(std::size_t a) const;
    /// U and S of unknown rotation a and unknown translations s and t.
    [[nodiscard]] const Vec3& crossMoment(std::size_t a, std::size_t t) const {
        return cross_[unknown_rotations_[a] * translation_count_ + unknown_translations_[t]];
    }
    [[nodiscard]] double placeMoment(std::size_t s, std::size_t t) const {
        return places_[unknown_translations_[s] * translation_count_ + unknown_translations_[t]];
    }
    /// B of the frame, with what is known taken off.
    [[nodiscard]] const Mat3& frameMoment(std::size_t a) const { return frame_rotations_[a]; }
    [[nodiscard]] const Vec3& framePlace(std::size_t t) const { return frame_places_[t]; }
    [[nodiscard]] std::size_t placeRank() const { return place_rank_; }
    /// Whether an unknown position is not determined by the vertices.
    [[nodiscard]] bool placeIsOpen(std::size_t t) const;
    [[nodiscard]] double mass() const { return mass_; }
    [[nodiscard]] double pinMass() const { return pin_mass_; }
    /// An unknown rotation's number among the unknown, or kNone.
    [[nodiscard]] std::uint32_t activeOf(std::uint32_t rotation) const {
        return active_of_[rotation];
    }

  private:
    using Sym4 = std::array<double, 10>;  // of [x;1][x;1]^T: xx xy xz x yy yz y zz z 1

    void findPointPairs(const VertexPack& pack);
    void findRotationPairs(const FitLayout& layout);
    void findPlacePairs(const FitLayout& layout);
    void computePointPairs(const VertexPack& pack, std::span<const double> masses);
    void spreadPointPair(const FitLayout& layout, std::uint32_t j, std::uint32_t k,
                         const Sym4& moment);
    void addPins(const FitLayout& layout);
    void addPull(double smoothness);
    void invertPlaces();
    void eliminatePlaces();

    bool eliminated_ = false;
    std::size_t point_count_ = 0, rotation_count_ = 0, translation_count_ = 0;
    std::vector<std::uint32_t> unknown_rotations_, unknown_translations_, known_translations_;
    std::vector<std::uint32_t> active_of_;  // per rotation: its number among the unknown

    std::vector<Pair> point_pairs_;
    std::vector<std::uint32_t> point_pair_at_;  // points x points
    std::vector<Sym4> point_moments_;

    std::vector<Pair> rotation_pairs_;             // a <= b, connected by vertices
    std::vector<std::uint32_t> rotation_pair_at_;  // rotations x rotations
    std::vector<Mat3> blocks_;                     // M of them
    std::vector<Vec3> cross_;                      // U: rotations x translations
    std::vector<double> places_;                   // S: translations x translations

    std::vector<double> place_inverse_, place_null_;  // of S among the unknown
    std::vector<double> unknown_places_;              // S among the unknown, for the inverse
    std::size_t place_rank_ = 0;
    std::vector<Vec3> place_turns_;  // F: rotations x unknown translations, S^-1 U

    std::vector<Pair> active_pairs_, known_pairs_;  // of known pairs: unknown number, rotation
    std::vector<Pair> cross_pairs_, place_pairs_;
    std::vector<std::uint32_t> active_source_, known_source_;  // their rotation pair, or kNone
    std::vector<Mat3> active_blocks_, own_blocks_, known_blocks_;
    std::vector<Vec3> known_cross_;  // unknown rotations x known translations

    std::vector<double> pull_turns_, pull_places_;  // per unknown
    double pin_mass_ = 0.0;
    double mass_ = 0.0;

    std::vector<Mat3> all_rotations_;  // B of a frame, per rotation
    std::vector<Vec3> all_places_;     // P of a frame, per translation
    std::vector<Mat3> frame_rotations_;
    std::vector<Vec3> frame_places_;
};

}  // namespace ulna::fit::detail
