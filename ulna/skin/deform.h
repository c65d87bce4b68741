// SPDX-License-Identifier: Apache-2.0

// Deformation: where the vertices of a mesh are in a pose.
//
// Linear blend: each vertex by the weighted mean of its joints' matrices. Dual quaternions: by the
// weighted mean of rigid motions, which keeps the volume of a twisted limb where linear blend
// wrings it like a candy wrapper. Each joint's motion is then split into a stretch (scale and
// shear, symmetric, about the joint's place at bind) and a rigid motion after it: stretches are
// blended linearly, motions as dual quaternions whose signs follow the vertex's first influence.
//
// A Deformer holds a mesh packed for speed, in float; deformReference is the plain loop in double
// that it is judged by.
//
// A mirrored joint (a scale below zero) turns the surface inside out: triangles and normals agree
// about it, and the handedness of tangents stays.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/skeleton/float_pose.h"
#include "ulna/skin/mesh.h"

namespace ulna {

enum class SkinBlend : std::uint8_t { Linear, DualQuaternion };

/// How normals turn with the blended matrix; with dual quaternions, with the blended stretch.
enum class NormalRule : std::uint8_t {
    Cofactor,  ///< by its cofactors: perpendicular to the surface for any matrix
    Plain,     ///< by the matrix itself: right where it is a rotation, cheaper
};

struct DeformOptions {
    SkinBlend blend = SkinBlend::Linear;
    NormalRule normals = NormalRule::Cofactor;
    unsigned threads = 1;  ///< 0 means one per core; the result does not depend on it
};

/// The vertices of a mesh in a pose, in model space and in the mesh's order. What the mesh has no
/// values of stays empty. Normals and tangent directions are one long; where the blend flattens one
/// to nothing, it keeps its direction at bind.
struct DeformedVertices {
    std::vector<Vec3f> positions = {};
    std::vector<Vec3f> normals = {};
    std::vector<Tangent> tangents = {};
};

/// A mesh ready to be deformed every frame. Constant after it is made: several threads may deform
/// with one.
class Deformer {
  public:
    /// @pre mesh has a row of weights per vertex, or none: then nothing moves.
    Deformer(const Skeleton& skeleton, const Mesh& mesh);

    /// Fills `out`; allocates nothing once it has the size.
    void deform(const ModelPose& pose, const DeformOptions& options, DeformedVertices& out) const;
    void deform(const FloatPose& pose, const DeformOptions& options, DeformedVertices& out) const;

  private:
    Skeleton skeleton_;
    Mesh mesh_;
};

/// The same in double by the formulas as they stand in books.
struct ReferenceVertices {
    std::vector<Vec3> positions = {};
    std::vector<Vec3> normals = {};
    std::vector<Vec3> tangents = {};
};
[[nodiscard]] ReferenceVertices deformReference(const Skeleton& skeleton, const Mesh& mesh,
                                                const ModelPose& pose,
                                                const DeformOptions& options = {});

/// The mesh as it is in a pose: a surface tied to nothing. By the reference, rounded once: the same
/// bytes on every machine.
[[nodiscard]] Mesh posedMesh(const Skeleton& skeleton, const Mesh& mesh, const ModelPose& pose,
                             const DeformOptions& options = {});

}  // namespace ulna
