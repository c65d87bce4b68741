// SPDX-License-Identifier: Apache-2.0

// The figures of shaded pictures. They are drawn by draw/shaded.h.
#pragma once

#include <string>
#include <vector>

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
};

}  // namespace ulna::draw
