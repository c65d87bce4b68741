// SPDX-License-Identifier: Apache-2.0

// From an implicit surface to triangles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna::maker {

struct Surface {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
};

struct GridBox {
    Vec3 low;
    double step = 0.0;
    std::array<int, 3> cells;
};

/// The surface where `distance` is zero, by marching tetrahedra: always a manifold, open only where
/// the box cuts it, there exactly in the box's sides.
/// @pre distance changes by at most about the length of a step.
Surface polygonize(const std::function<double(const Vec3&)>& distance, const GridBox& box);

}  // namespace ulna::maker
