// SPDX-License-Identifier: Apache-2.0

// Mesh: a surface of triangles with the weights that attach it to a skeleton. A plain value.
//
// To check a mesh from a file see skin/check_mesh.h; for neighbours see skin/topology.h.
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

/// A colour in sRGB, as in image files.
struct Color {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;

    friend bool operator==(const Color&, const Color&) = default;
};

/// The index of a part that has no material.
inline constexpr std::uint32_t kNoMaterial = 0xFFFFFFFF;

/// Consecutive triangles with one material.
struct MeshPart {
    std::uint32_t triangles = 0;           ///< how many
    std::uint32_t material = kNoMaterial;  ///< index into MaterialSet::materials (io/materials.h)

    friend bool operator==(const MeshPart&, const MeshPart&) = default;
};

/// Each attribute of vertices (normals, colours, ...) has as many entries as positions, or none.
struct Mesh {
    std::string name = {};
    std::vector<Vec3f> positions = {};  ///< in the bind pose
    std::vector<Vec3f> normals = {};    ///< in the bind pose, unit vectors
    std::vector<Tangent> tangents = {};
    std::vector<Vec2f> texcoords = {};  ///< v grows downwards in the image, as in glTF
    std::vector<Color> colors = {};
    std::vector<std::uint32_t> indices =
        {};                            ///< three per triangle, counter-clockwise from outside
    std::vector<MeshPart> parts = {};  ///< of all triangles in order; empty without materials

    SkinWeights weights = {};
    /// The bind matrices: from the space of `positions` to each joint's frame in the bind pose, one
    /// per joint of the skeleton. Empty if that space is the model's and the bind pose is the rest
    /// pose.
    std::vector<Affine> joint_from_bind = {};
};

/// Every length multiplied by `factor`, to go with scaledSkeleton.
[[nodiscard]] Mesh scaledMesh(Mesh mesh, double factor);
/// The mesh rotated with the whole model, to go with rotatedSkeleton.
[[nodiscard]] Mesh rotatedMesh(Mesh mesh, const Quat& new_from_old);

/// Smooth normals: the mean of the normals of the triangles around a point, weighted by their angle
/// there. Vertices at the same position share one. Without area around it a point gets (0, 1, 0).
/// @pre indices are in range and positions finite.
[[nodiscard]] std::vector<Vec3f> computeNormals(const Mesh& mesh);

/// The bind matrices: joint_from_bind, or those of the rest pose where it is empty.
[[nodiscard]] std::vector<Affine> bindMatrices(const Skeleton& skeleton, const Mesh& mesh);

/// model_from_bind in the rest pose, for vertices that no joint moves: the transform by the first
/// joint that has weights, or the identity if no joint has weights.
[[nodiscard]] Affine restPlacement(const Skeleton& skeleton, const Mesh& mesh);

}  // namespace ulna
