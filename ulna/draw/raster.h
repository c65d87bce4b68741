// SPDX-License-Identifier: Apache-2.0

// Raster: a picture as pixels.
#pragma once

#include <cstddef>
#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna::draw {

/// Pixels in rows from the top. Colours are not premultiplied by alpha.
struct Raster {
    std::size_t width = 0, height = 0;
    std::vector<Color> pixels = {};
    /// How long a unit of length of the figures is, everywhere in the picture; 0 if that is not
    /// known.
    double pixels_per_unit = 0.0;
};

}  // namespace ulna::draw
