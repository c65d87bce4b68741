// SPDX-License-Identifier: Apache-2.0

// Surface: what a shaded picture shows of one figure, as the viewer has it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ulna/draw/detail/light_color.h"
#include "ulna/draw/detail/projection.h"
#include "ulna/draw/shaded_figure.h"
#include "ulna/math/box.h"

namespace ulna::draw::detail {

/// Triangles of all meshes of a figure. x is to the right in the picture, y up and z towards the
/// viewer.
struct Surface {
    std::vector<Vec3> positions = {};
    std::vector<Vec3> normals = {};  ///< unit vectors
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
