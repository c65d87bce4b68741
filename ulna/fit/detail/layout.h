// SPDX-License-Identifier: Apache-2.0

// What of a rig can move once its constraints are eliminated.
//
// Rigid groups share a rotation; a tree of carried points shares a translation. Every position is
// then linear in what is left: d_j = d_tree + sum over a of R_a b_ja, and so is every vertex. A
// pinned point gives its tree a known translation, whichever point of the tree it is. What remains
// of pins, several in one tree, are conditions on the rotations.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/fit/detail/rigid_groups.h"
#include "ulna/fit/rig.h"

namespace ulna::fit::detail {

/// One rotation's part in a point's motion of a rest position x: R (linear * x + offset).
struct RotationTerm {
    std::uint32_t rotation = 0;
    double linear = 0.0;
    Vec3 offset;
};

/// A condition beyond those eliminated: a point that stays where it is.
struct ExtraPin {
    std::uint32_t point = 0;
};

struct FitLayout {
    Vec3 origin;  // coordinates in here are relative to it: the middle of the rest vertices
    double size = 1.0;

    struct Rotation {
        std::uint32_t point = 0;  // whose rotation it is; kNone: always the identity
        bool known = false;
    };
    struct Translation {
        std::uint32_t point = 0;  // whose position it is
        bool known = false;
    };
    std::vector<Rotation> rotations;
    std::vector<Translation> translations;

    std::vector<std::uint32_t> rotation_of;     // per point
    std::vector<std::uint32_t> translation_of;  // per point
    std::vector<Vec3> rest;                     // per point, relative to the origin
    std::vector<std::uint32_t> first_term;      // per point, then the end
    std::vector<RotationTerm> terms;            // the point's own rotation first
    std::vector<ExtraPin> extra_pins;

    [[nodiscard]] std::span<const RotationTerm> termsOf(std::size_t point) const {
        return std::span(terms).subspan(first_term[point],
                                        first_term[point + 1] - first_term[point]);
    }
    /// The part of a point's own rest position that a rotation carries.
    [[nodiscard]] Vec3 arm(std::size_t point, const RotationTerm& term) const {
        return rest[point] * term.linear + term.offset;
    }
    /// A point's position for rotations and translations, all relative to the origin.
    [[nodiscard]] Vec3 position(std::size_t point, std::span<const Mat3> rotation_values,
                                std::span<const Vec3> positions) const;
};

/// @pre checkRig found nothing.
[[nodiscard]] FitLayout makeLayout(const FitRig& rig);

}  // namespace ulna::fit::detail
