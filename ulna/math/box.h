// SPDX-License-Identifier: Apache-2.0

// Box: the smallest box around points, with its sides along the axes.
#pragma once

#include <limits>

#include "ulna/math/vec.h"

namespace ulna {

struct Box {
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3 low = {kInfinity, kInfinity, kInfinity};
    Vec3 high = {-kInfinity, -kInfinity, -kInfinity};

    void add(const Vec3& p) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (p[i] < low[i]) low[i] = p[i];
            if (p[i] > high[i]) high[i] = p[i];
        }
    }
    void add(const Box& other) {
        if (other.empty()) return;
        add(other.low);
        add(other.high);
    }
    /// Whether no point was added; then size, center and diagonal are zero.
    [[nodiscard]] bool empty() const { return !(low.x <= high.x); }
    [[nodiscard]] Vec3 size() const { return empty() ? Vec3{} : high - low; }
    [[nodiscard]] Vec3 center() const { return empty() ? Vec3{} : low * 0.5 + high * 0.5; }
    [[nodiscard]] double diagonal() const { return length(size()); }
};

}  // namespace ulna
