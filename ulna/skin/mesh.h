// SPDX-License-Identifier: Apache-2.0

// Mesh: a surface of triangles, and what ties it to a skeleton. A plain value; files carry it.
//
// What a mesh from outside may be lacking, skin/check_mesh.h says; skin/topology.h knows
// neighbours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ulna/skin/weights.h"

namespace ulna {

/// The direction in which a texture's u grows. v grows along handedness * cross(normal, direction).
struct Tangent {
    Vec3f direction = {1, 0, 0};
    float handedness = 1.0f;  ///< 1 or -1

    friend bool operator==(const Tangent&, const Tangent&) = default;
};

/// A colour as pictures and screens have it (sRGB).
struct Color {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;

    friend bool operator==(const Color&, const Color&) = default;
};

/// A part without a material of its own.
inline constexpr std::uint32_t kNoMaterial = 0xFFFFFFFF;

/// Triangles in a row that look alike.
struct MeshPart {
    std::uint32_t triangles = 0;
    std::uint32_t material = kNoMaterial;  ///< in the list beside the meshes, see io/materials.h

    friend bool operator==(const MeshPart&, const MeshPart&) = default;
};

/// Of the attributes of vertices there are as many as positions, or none.
struct Mesh {
    std::string name = {};
    std::vector<Vec3f> positions = {};  ///< at bind
    std::vector<Vec3f> normals = {};    ///< at bind, one long
    std::vector<Tangent> tangents = {};
    std::vector<Vec2f> texcoords = {};  ///< v grows downwards in the image, as in glTF
    std::vector<Color> colors = {};
    std::vector<std::uint32_t> indices = {};  ///< three a triangle, counter-clockwise from outside
    std::vector<MeshPart> parts = {};  ///< all triangles in their order; none without materials

    SkinWeights weights = {};
    /// From the space of `positions` to each joint's frame at bind, by joint of the skeleton; empty
    /// where that space is the model's and the bind pose is the rest pose.
    std::vector<Affine> joint_from_bind = {};
};

/// Every length times `factor`, as scaledSkeleton has it.
[[nodiscard]] Mesh scaledMesh(Mesh mesh, double factor);
/// The mesh of a model turned as a whole, as rotatedSkeleton has it.
[[nodiscard]] Mesh rotatedMesh(Mesh mesh, const Quat& new_from_old);

/// Normals of a surface without creases: at each place the triangles' own, weighted by their angle
/// there. Vertices in the same place share one. A place without area gets (0, 1, 0).
/// @pre indices are in range and positions finite.
[[nodiscard]] std::vector<Vec3f> computeNormals(const Mesh& mesh);

/// From the space of `positions` to each joint's frame: joint_from_bind, or what it stands for.
[[nodiscard]] std::vector<Affine> bindMatrices(const Skeleton& skeleton, const Mesh& mesh);

/// Where the space of `positions` is in the model at rest, for vertices that nothing moves: as the
/// first joint of the weights has it, or the same space where there is none.
[[nodiscard]] Affine restPlacement(const Skeleton& skeleton, const Mesh& mesh);

}  // namespace ulna
