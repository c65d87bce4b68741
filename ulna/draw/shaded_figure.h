// SPDX-License-Identifier: Apache-2.0

// The figures of shaded pictures. They are drawn by draw/shaded.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/draw/figure_dot.h"
#include "ulna/math/vec.h"
#include "ulna/skin/mesh.h"

namespace ulna::draw {

/// One mesh of a picture: its vertices in model space.
struct ShadedMesh {
    const Mesh& mesh;  ///< already posed (see posedMesh); its colors are used if it has some
    Color color = {205, 208, 214, 255};  ///< for meshes without colours
};

/// One figure of a strip: meshes that are drawn together.
struct ShadedFigure {
    std::vector<ShadedMesh> meshes = {};
    std::string caption = {};
    /// The position in model space that is in the middle of the figure's part of the picture; its
    /// height does not count. By default the middle of the figure.
    std::optional<Vec3> spot = {};
    std::vector<FigureDot> dots = {};  ///< above the caption
};

}  // namespace ulna::draw
