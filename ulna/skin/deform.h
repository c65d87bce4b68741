// SPDX-License-Identifier: Apache-2.0

// Deformation: where the vertices of a mesh are in a pose.
//
// Linear blend: each vertex by the weighted mean of its joints' matrices. Dual quaternions: by the
// weighted mean of rigid motions, which keeps the volume of a twisted limb where linear blend
// wrings it like a candy wrapper. Joints that scale are split into a stretch (scale and shear,
// symmetric, about the joint's place at bind) and a rigid motion after it: stretches are blended
// linearly, motions as dual quaternions whose signs follow the vertex's first influence.
//
// A Deformer holds a mesh packed for speed, in float; deformReference is the plain loop in double
// that it is judged by.
//
// A mirrored joint (a scale below zero) turns the surface inside out: triangles and normals agree
// about it, and the handedness of tangents stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ulna/core/aligned.h"
#include "ulna/skeleton/float_pose.h"
#include "ulna/skin/mesh.h"

namespace ulna {

namespace skin::detail {
struct PackedSkin;
}

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

/// A 4x4 matrix by rows, the last one 0 0 0 1.
struct SkinMatrix {
    float rows[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
};

/// What a pose does to each joint of a mesh: made once a frame by Deformer::computePalette, used
/// any number of times, here or on a graphics card. One for linear blend serves every mesh with the
/// same bind matrices; one for dual quaternions serves the mesh it was made for.
class SkinPalette {
  public:
    /// By joint: with linear blend posed_from_bind, with dual quaternions the stretches.
    [[nodiscard]] std::span<const SkinMatrix> matrices() const;

  private:
    friend class Deformer;

    SkinBlend blend_ = SkinBlend::Linear;
    bool stretches_ = false;
    AlignedVector<SkinMatrix> matrices_;  // by joint, then one that moves nothing
    AlignedVector<float> motions_;        // by pair of joints, eight floats each
    // On the way there, by joint.
    std::vector<Affine> exact_;
    std::vector<Quat> rotations_;
    AlignedVector<float> joint_motions_;
};

/// The vertices of a mesh in a pose, in model space and in the mesh's order. What the mesh has no
/// values of stays empty. Normals and tangent directions are one long; one that the blended matrix
/// flattens to nothing is left as it was.
struct DeformedVertices {
    std::vector<Vec3f> positions = {};
    std::vector<Vec3f> normals = {};
    std::vector<Tangent> tangents = {};
    SkinPalette palette = {};  ///< of the pose, kept for its memory
};

/// Where vertices go that someone else holds, such as a mapped vertex buffer: the first one's
/// values, the next ones `stride` bytes on. Nothing between is touched.
struct VertexBuffer {
    float* positions = nullptr;
    float* normals = nullptr;   ///< null where they are not wanted
    float* tangents = nullptr;  ///< x, y, z and handedness; null where they are not wanted
    std::size_t stride = 0;     ///< 0 means each kind packed on its own: 12, 12 and 16 bytes
};

/// A mesh ready to be deformed every frame. Vertices without influences stay where they are at
/// rest (restPlacement). Constant after it is made: several threads may deform
/// with one, each into a result of its own.
class Deformer {
  public:
    /// @pre mesh has a row of weights per vertex, or none: then nothing moves.
    Deformer(const Skeleton& skeleton, const Mesh& mesh);

    /// Fills `out`; allocates nothing once it has the size.
    void deform(const ModelPose& pose, const DeformOptions& options, DeformedVertices& out) const;
    void deform(const FloatPose& pose, const DeformOptions& options, DeformedVertices& out) const;

    /// The same in two steps: what joints do, then what vertices do.
    void computePalette(const ModelPose& pose, SkinBlend blend, SkinPalette& out) const;
    void computePalette(const FloatPose& pose, SkinBlend blend, SkinPalette& out) const;
    /// The palette says which blend it is for.
    /// @pre what `out` wants the mesh has.
    void deform(const SkinPalette& palette, const DeformOptions& options,
                const VertexBuffer& out) const;

    [[nodiscard]] std::size_t vertexCount() const;

  private:
    template <class SomePose>
    void deformPose(const SomePose& pose, const DeformOptions& options,
                    DeformedVertices& out) const;
    void makePalette(std::span<const Affine> model_from_joint, SkinBlend blend,
                     SkinPalette& out) const;
    void makeMotions(std::span<const Affine> model_from_joint, SkinPalette& out) const;

    std::shared_ptr<const skin::detail::PackedSkin> skin_;
    std::vector<JointId> parents_;
    std::vector<Affine> joint_from_bind_;
    std::vector<Vec3> places_at_bind_;
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

/// The mesh as it is in a pose: a surface tied to nothing. By the reference, rounded once.
[[nodiscard]] Mesh posedMesh(const Skeleton& skeleton, const Mesh& mesh, const ModelPose& pose,
                             const DeformOptions& options = {});

}  // namespace ulna
