// SPDX-License-Identifier: Apache-2.0

// Small meshes, and whether two are the same, for tests.
#pragma once

#include <string>

#include "ulna/skin/mesh.h"

namespace ulna::test {

/// Two triangles of four vertices in the plane z = 0, counter-clockwise seen from above.
Mesh square();

/// The corners of a box from 0 to `size`, twelve triangles, outside out.
Mesh box(const Vec3f& size);

/// The box with everything files hold: split corners with a normal and a texture coordinate each,
/// colours, a name.
Mesh decoratedBox();

/// A sphere of quads around its axis, one vertex a place; tangents point east.
Mesh globe(double radius, std::size_t rings, std::size_t sides);

/// What differs between two meshes, weights and bind left aside, or nothing. Numbers must be equal.
std::string difference(const Mesh& a, const Mesh& b);

}  // namespace ulna::test
