// SPDX-License-Identifier: Apache-2.0

// Even triangles: a surface of any triangles becomes one whose edges have the wanted lengths.
//
// Botsch and Kobbelt, "A remeshing approach to multiresolution modeling", 2004: long edges are
// split, short ones collapsed, edges flipped towards Delaunay, and points moved along the surface.
#pragma once

#include <functional>

#include "tools/character/polygonize.h"

namespace ulna::maker {

struct RemeshField {
    std::function<double(const Vec3&)> edge_length;  ///< that is wanted here
    std::function<Vec3(const Vec3&)> projected;      ///< the nearest point of the true surface
};

/// The surface ends in the plane x = 0 and nowhere else; its points there stay there.
Surface remeshed(const Surface& surface, const RemeshField& field, int rounds);

}  // namespace ulna::maker
