// SPDX-License-Identifier: Apache-2.0

// Meshes hold floats, geometry is reckoned in doubles.
#pragma once

#include <limits>

#include "ulna/math/vec.h"

namespace ulna::skin::detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[nodiscard]] inline Vec3 widened(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

/// The smallest box around points; low above high while there are none.
struct Box {
    Vec3 low = {kInfinity, kInfinity, kInfinity};
    Vec3 high = {-kInfinity, -kInfinity, -kInfinity};

    void add(const Vec3& p) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (p[k] < low[k]) low[k] = p[k];
            if (p[k] > high[k]) high[k] = p[k];
        }
    }
    [[nodiscard]] Vec3 centre() const { return (low + high) * 0.5; }
    [[nodiscard]] double diagonal() const { return low.x <= high.x ? length(high - low) : 0.0; }
};

}  // namespace ulna::skin::detail
