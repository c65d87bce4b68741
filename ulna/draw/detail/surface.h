// SPDX-License-Identifier: Apache-2.0

// Surface: what a shaded picture shows of one figure, as the viewer has it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ulna/draw/detail/light_color.h"
#include "ulna/draw/detail/projection.h"
#include "ulna/draw/shaded.h"

namespace ulna::draw::detail {

/// The smallest box around points.
struct Box {
    Vec3 low{1e300, 1e300, 1e300};
    Vec3 high{-1e300, -1e300, -1e300};

    void add(const Vec3& p) {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = p[i] < low[i] ? p[i] : low[i];
            high[i] = p[i] > high[i] ? p[i] : high[i];
        }
    }
    void add(const Box& other) {
        if (other.empty()) return;
        add(other.low);
        add(other.high);
    }
    [[nodiscard]] bool empty() const { return low.x > high.x; }
    [[nodiscard]] Vec3 size() const { return empty() ? Vec3{} : high - low; }
    [[nodiscard]] Vec3 middle() const { return empty() ? Vec3{} : low * 0.5 + high * 0.5; }
};

/// Triangles of all meshes of a figure. x is to the right in the picture, y up and z towards the
/// viewer.
struct Surface {
    std::vector<Vec3> positions = {};
    std::vector<Vec3> normals = {};  ///< one long
    std::vector<Light> lights = {};  ///< what share of light each vertex gives back
    std::vector<std::array<std::uint32_t, 3>> triangles = {};

    [[nodiscard]] Box box() const;
    [[nodiscard]] bool sameShape(const Surface& other) const {
        return positions == other.positions && triangles == other.triangles;
    }
};

/// The box around the triangles of a figure, in model space.
[[nodiscard]] Box modelBox(const ShadedFigure& figure);

/// The figure around `middle` in lengths of `size`. @pre size > 0
[[nodiscard]] Surface makeSurface(const ShadedFigure& figure, const Projection& projection,
                                  const Vec3& middle, double size);

}  // namespace ulna::draw::detail
