// SPDX-License-Identifier: Apache-2.0

// Deformation: where the vertices of a mesh are in a pose.
//
// Linear blend skinning moves each vertex by the weighted mean of its joints' matrices. Dual
// quaternion skinning uses the weighted mean of rigid motions: it keeps the volume of a twisted
// limb, which linear blend skinning collapses like a candy wrapper. With dual quaternions, the
// motion of a joint that scales is split into a stretch (symmetric: scale and shear about the
// joint's position in the bind pose) followed by a rigid motion. Stretches are blended linearly,
// rigid motions as dual quaternions whose signs follow the vertex's first influence.
//
// Where limbs twist, either blend wrings the skin around one joint; skin/twist.h spreads it.
//
// A Deformer holds a mesh packed for speed and computes in float. deformReference is the plain loop
// in double that tests compare it with.
//
// A joint with a negative scale mirrors the surface: triangles and normals both face inwards, and
// the handedness of tangents does not change.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "ulna/core/aligned.h"
#include "ulna/skeleton/float_pose.h"
#include "ulna/skin/deform_types.h"
#include "ulna/skin/mesh.h"
#include "ulna/skin/twist.h"

namespace ulna {

namespace skin::detail {
struct PackedSkin;
class TwistFrames;
}  // namespace skin::detail

/// What a pose does to each joint of a mesh. Deformer::computePalette makes it once a frame; it can
/// be used any number of times, here or on a graphics card. A palette for linear blend skinning
/// serves every mesh with the same bind matrices; one for dual quaternions serves one mesh only.
/// Threads may read one at once; each thread that computes needs its own.
class SkinPalette {
  public:
    /// One per joint: posed_from_bind for linear blend, the stretches for dual quaternions. After
    /// them are those of the frames that twist bones add.
    [[nodiscard]] std::span<const SkinMatrix> matrices() const;

  private:
    friend class Deformer;

    SkinBlend blend_ = SkinBlend::Linear;
    bool stretches_ = false;
    AlignedVector<SkinMatrix> matrices_;  // by joint, then the identity
    AlignedVector<float> motions_;        // by pair of joints, eight floats each
    // Intermediate results, by joint.
    std::vector<Affine> exact_;
    std::vector<Affine> framed_;  // the joints in model space, then the frames of twist bones
    std::vector<Quat> rotations_;
    AlignedVector<float> joint_motions_;
};

/// The vertices of a mesh in a pose, in model space and in the mesh's order. Attributes that the
/// mesh does not have stay empty. Normals and tangent directions are unit vectors; one that the
/// blended matrix makes zero keeps its direction in the bind pose.
struct DeformedVertices {
    std::vector<Vec3f> positions = {};
    std::vector<Vec3f> normals = {};
    std::vector<Tangent> tangents = {};
    SkinPalette palette = {};  ///< of the pose; kept here so that its memory is reused
};

/// Memory of the caller's that receives vertices, such as a mapped vertex buffer. Each span begins
/// at the first vertex's values and reaches at least to the last one's; from one vertex to the next
/// it is `stride` bytes. Bytes between the values are not written.
struct VertexBuffer {
    std::span<float> positions = {};
    std::span<float> normals = {};   ///< empty where they are not wanted
    std::span<float> tangents = {};  ///< x, y, z and handedness; empty where they are not wanted
    std::size_t stride = 0;          ///< 0 means packed arrays: 12, 12 and 16 bytes per vertex
};

/// A mesh prepared to be deformed every frame. Vertices without influences keep their rest
/// positions (restPlacement). A Deformer never changes: several threads may use one, each with a
/// result of its own.
class Deformer {
  public:
    /// @param twists the bones over which twist is spread (limbTwists); none: as the weights say.
    /// @pre mesh has a row of weights per vertex, or no rows: then no vertex moves.
    /// @pre of each twist bone, `end` is below `start`; no two start at one joint.
    Deformer(const Skeleton& skeleton, const Mesh& mesh, std::span<const TwistBone> twists = {});

    /// Fills `out`. Allocates nothing when `out` has been filled for this mesh before.
    void deform(const ModelPose& pose, const DeformOptions& options, DeformedVertices& out) const;
    void deform(const FloatPose& pose, const DeformOptions& options, DeformedVertices& out) const;

    /// The same in two steps: first the joints, then the vertices.
    void computePalette(const ModelPose& pose, SkinBlend blend, SkinPalette& out) const;
    void computePalette(const FloatPose& pose, SkinBlend blend, SkinPalette& out) const;
    /// The blend is the palette's; options.blend is not used.
    /// @pre the mesh has every attribute that `out` has a span for; the spans are large enough.
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
    std::shared_ptr<const skin::detail::TwistFrames> twists_;  // null without twist bones
    std::vector<JointId> parents_;
    std::vector<Affine> joint_from_bind_;  // of the joints, then of the frames of twist bones
    std::vector<Vec3> positions_at_bind_;  // likewise
};

/// Deformation in double, by the textbook formulas.
struct ReferenceVertices {
    std::vector<Vec3> positions = {};
    std::vector<Vec3> normals = {};
    std::vector<Vec3> tangents = {};
};
[[nodiscard]] ReferenceVertices deformReference(const Skeleton& skeleton, const Mesh& mesh,
                                                const ModelPose& pose,
                                                const DeformOptions& options = {},
                                                std::span<const TwistBone> twists = {});

/// The mesh in a pose, without weights. Computed by deformReference and rounded to float once.
[[nodiscard]] Mesh posedMesh(const Skeleton& skeleton, const Mesh& mesh, const ModelPose& pose,
                             const DeformOptions& options = {},
                             std::span<const TwistBone> twists = {});

}  // namespace ulna
