// SPDX-License-Identifier: Apache-2.0

// Meshes hold floats, geometry is reckoned in doubles.
#pragma once

#include <limits>

#include "ulna/math/box.h"

namespace ulna::skin::detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[nodiscard]] inline Vec3 widened(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

}  // namespace ulna::skin::detail
