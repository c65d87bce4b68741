// SPDX-License-Identifier: Apache-2.0

// The polygon that contact points span on the ground, moved inward by a margin, and how a point
// outside it is from it, with derivatives.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "ulna/math/vec.h"

namespace ulna::ik::detail {

inline constexpr std::size_t kMaxContacts = 32;

/// A derivative of a vector by a vector, by rows.
struct Matrix2 {
    Vec2 x, y;
};

/// From the nearest point of the polygon to a point; zero inside.
struct SupportOffset {
    Vec2 offset = {};
    Matrix2 by_point = {};
    std::array<Matrix2, kMaxContacts> by_contact = {};
};

/// @param margin how far the sides are moved inward: at most nine tenths of the largest circle
/// inside the contacts, so that something of the polygon is left. Contacts on one line span that
/// line alone.
/// @pre 1 to kMaxContacts contacts.
void computeSupport(std::span<const Vec2> contacts, const Vec2& point, double margin,
                    SupportOffset& out);

/// The same on a line, where the polygon is an interval: the x of everything.
void computeSupportOnLine(std::span<const Vec2> contacts, const Vec2& point, double margin,
                          SupportOffset& out);

}  // namespace ulna::ik::detail
