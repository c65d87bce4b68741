// SPDX-License-Identifier: Apache-2.0

// The constant moments of a rig in terms of its layout's rotations and translations.
//
// A vertex is x = sum of R_a v_a + sum of W_t d_t with constant v and W (detail/layout.h). The
// quadratic part of the cost is then M_ab = sum of m v_a v_b^T, U_at = sum of m v_a W_t and
// S_tu = sum of m W_t W_u. Springs are added to the same sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/pair_moments.h"
#include "ulna/fit/detail/values.h"

namespace ulna::fit::detail {

class WeightMoments {
  public:
    /// Finds which rotations and translations are connected. Allocates; weigh() computes values.
    void build(const FitLayout& layout, const PairMoments& points);
    /// Computes M, U and S from the moments of points.
    void weigh(const FitLayout& layout, const PairMoments& points);

    /// The pair of rotations a and b in either order, or kNone where nothing connects them.
    [[nodiscard]] std::uint32_t pairAt(std::size_t a, std::size_t b) const {
        return pair_at_[a * rotations_ + b];
    }
    /// Whether vertices connect a rotation with a translation, and two translations s <= t.
    [[nodiscard]] bool crosses(std::size_t rotation, std::size_t translation) const {
        return crosses_[rotation * translations_ + translation] != 0;
    }
    [[nodiscard]] bool joins(std::size_t s, std::size_t t) const {
        return joins_[s * translations_ + t] != 0;
    }

    /// M of a pair of rotations a <= b: rows of a by columns of b.
    [[nodiscard]] const Mat3& rotationPair(std::size_t pair) const { return blocks_[pair]; }
    [[nodiscard]] Mat3& rotationPair(std::size_t pair) { return blocks_[pair]; }
    /// M of a rotation with itself.
    [[nodiscard]] const Mat3& own(std::size_t a) const { return blocks_[pairAt(a, a)]; }
    [[nodiscard]] Mat3& own(std::size_t a) { return blocks_[pairAt(a, a)]; }
    /// U of a rotation and a translation.
    [[nodiscard]] const Vec3& cross(std::size_t a, std::size_t t) const {
        return cross_[a * translations_ + t];
    }
    [[nodiscard]] Vec3& cross(std::size_t a, std::size_t t) {
        return cross_[a * translations_ + t];
    }
    /// S of two translations.
    [[nodiscard]] double translationPair(std::size_t s, std::size_t t) const {
        return squares_[s * translations_ + t];
    }
    [[nodiscard]] double& translationPair(std::size_t s, std::size_t t) {
        return squares_[s * translations_ + t];
    }

  private:
    void spread(const FitLayout& layout, std::uint32_t j, std::uint32_t k, const Sym4& moment);

    std::size_t rotations_ = 0, translations_ = 0;
    std::vector<std::uint32_t> pair_at_;  // rotations x rotations
    std::vector<std::uint8_t> crosses_;   // rotations x translations
    std::vector<std::uint8_t> joins_;     // translations x translations
    std::vector<Mat3> blocks_;            // M per pair of rotations
    std::vector<Vec3> cross_;             // U: rotations x translations
    std::vector<double> squares_;         // S: translations x translations
};

/// What pulls on rotations and translations besides the vertices: pins that the layout could not
/// eliminate, and smoothness towards a reference.
struct Springs {
    double pin_mass = 0.0;             // of every extra pin
    std::vector<double> rotations;     // stiffness of smoothness per unknown rotation
    std::vector<double> translations;  // and per unknown translation

    /// Adds the springs to the moments of the vertices, whose masses sum to `mass`.
    void weigh(const FitLayout& layout, const Unknowns& unknowns, double mass, double smoothness,
               WeightMoments& moments);
};

}  // namespace ulna::fit::detail
