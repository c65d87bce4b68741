// SPDX-License-Identifier: Apache-2.0

// Primitive: a box, an ellipsoid, a capsule or a cylinder, and its surface as a mesh.
//
// Robot files (io/urdf.h, io/mjcf.h) describe links by primitives. Their meshes are drawn, and are
// what a body touches the floor with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ulna/skin/mesh.h"

namespace ulna {

enum class PrimitiveKind : std::uint8_t {
    Box,        ///< `size` is half the length of its edges
    Ellipsoid,  ///< `size` is its three radii; a sphere has equal ones
    Capsule,    ///< along z: radius `size.x`, half the length without its caps `size.z`
    Cylinder,   ///< along z: radius `size.x`, half the length `size.z`
};

/// A solid around the origin of its own frame.
struct Primitive {
    PrimitiveKind kind = PrimitiveKind::Box;
    Vec3 size = {1, 1, 1};

    friend bool operator==(const Primitive&, const Primitive&) = default;
};

/// How round shapes are approximated. Their vertices are on the surface.
struct PrimitiveMeshOptions {
    std::size_t segments = 20;  ///< around the axis; a multiple of 4 touches all four sides
};

/// The surface as a closed mesh with normals, without weights. Flat faces have vertices of their
/// own, so that edges stay sharp.
/// @pre options.segments is at least 3; the sizes are finite.
[[nodiscard]] Mesh makePrimitiveMesh(const Primitive& primitive,
                                     const PrimitiveMeshOptions& options = {});

}  // namespace ulna
