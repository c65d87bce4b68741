// SPDX-License-Identifier: Apache-2.0

// Linear blend as in any textbook; dual quaternions after Kavan, Collins, Zara and O'Sullivan,
// "Geometric skinning with approximate dual quaternion blending", 2008.
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/core/parallel.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/detail/joint_motion.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/detail/twist_frames.h"

namespace ulna {
namespace {

using skin::detail::widened;

constexpr std::size_t kChunk = 1024;

Vec3 directionOr(const Vec3& v, const Vec3& fallback) {
    return dot(v, v) > skin::detail::kNoDirection2 ? v / length(v) : fallback;
}

void add(const Affine& a, double weight, Affine& sum) {
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 3; ++i) sum.columns[k][i] += weight * a.columns[k][i];
}

Affine zero() {
    return makeAffine(Mat3{{{}, {}, {}}}, Vec3{});
}

Mat3 cofactors(const Affine& a) {
    const Vec3 x = a.column(0), y = a.column(1), z = a.column(2);
    return Mat3::fromColumns(cross(y, z), cross(z, x), cross(x, y));
}

// What a vertex goes through: first the matrix, then the rigid motion.
struct VertexMotion {
    Affine matrix;
    Rigid rigid;
};

class ReferencePalette {
  public:
    ReferencePalette(std::span<const Affine> model_from_joint,
                     std::span<const Affine> joint_from_bind, const Affine& unmoved,
                     SkinBlend blend)
        : blend_(blend), unmoved_(unmoved) {
        const std::vector<Vec3> positions = skin::detail::jointPositionsAtBind(joint_from_bind);
        for (std::size_t j = 0; j < joint_from_bind.size(); ++j) {
            const Affine posed_from_bind = model_from_joint[j] * joint_from_bind[j];
            if (blend == SkinBlend::Linear) {
                matrices_.push_back(posed_from_bind);
            } else {
                const skin::detail::JointMotion split =
                    skin::detail::splitMotion(posed_from_bind, positions[j]);
                matrices_.push_back(split.stretch);
                motions_.push_back(skin::detail::toDualQuat(split.motion));
            }
        }
    }

    [[nodiscard]] VertexMotion blended(std::span<const Influence> row) const {
        if (row.empty()) return {unmoved_, {}};
        VertexMotion out{zero(), {}};
        for (const Influence& influence : row)
            add(matrices_[index(influence.joint)], influence.weight, out.matrix);
        if (blend_ == SkinBlend::DualQuaternion) out.rigid = blendedMotion(row);
        return out;
    }

  private:
    [[nodiscard]] Rigid blendedMotion(std::span<const Influence> row) const {
        const Quat& first = motions_[index(row[0].joint)].real;
        Quat real{0, 0, 0, 0}, dual{0, 0, 0, 0};
        for (const Influence& influence : row) {
            const skin::detail::DualQuat& own = motions_[index(influence.joint)];
            // q and -q are the same rotation, but not half of it.
            const double weight = dot(own.real, first) < 0.0 ? -influence.weight : influence.weight;
            real = {real.x + weight * own.real.x, real.y + weight * own.real.y,
                    real.z + weight * own.real.z, real.w + weight * own.real.w};
            dual = {dual.x + weight * own.dual.x, dual.y + weight * own.dual.y,
                    dual.z + weight * own.dual.z, dual.w + weight * own.dual.w};
        }
        const Quat product = dual * conjugate(real);
        return {product.vector() * (2.0 / dot(real, real)), normalized(real)};
    }

    SkinBlend blend_;
    Affine unmoved_;  // what vertices without influences go through
    std::vector<Affine> matrices_;
    std::vector<skin::detail::DualQuat> motions_;
};

void check([[maybe_unused]] const Skeleton& skeleton, [[maybe_unused]] const Mesh& mesh,
           [[maybe_unused]] const ModelPose& pose) {
    ULNA_ASSERT(pose.model_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    ULNA_ASSERT(mesh.weights.empty() || mesh.weights.rowCount() == mesh.positions.size(),
                "the mesh needs a row of weights per vertex, or none");
    ULNA_ASSERT(
        mesh.joint_from_bind.empty() || mesh.joint_from_bind.size() == skeleton.jointCount(),
        "the mesh needs a bind matrix per joint, or none");
}

}  // namespace

ReferenceVertices deformReference(const Skeleton& skeleton, const Mesh& mesh, const ModelPose& pose,
                                  const DeformOptions& options, std::span<const TwistBone> twists) {
    check(skeleton, mesh, pose);
    std::vector<Affine> model_from_joint = pose.model_from_joint;
    std::vector<Affine> joint_from_bind = bindMatrices(skeleton, mesh);
    SkinWeights weights = mesh.weights;
    const skin::detail::TwistFrames frames(skeleton, joint_from_bind, twists);
    if (!frames.empty()) {
        frames.addFrames(pose.model_from_joint, model_from_joint);
        joint_from_bind = frames.withFrames(std::move(joint_from_bind));
        weights = frames.spread(mesh);
    }
    const ReferencePalette palette(model_from_joint, joint_from_bind, restPlacement(skeleton, mesh),
                                   options.blend);
    ReferenceVertices out;
    out.positions.resize(mesh.positions.size());
    out.normals.resize(mesh.normals.size());
    out.tangents.resize(mesh.tangents.size());
    const auto deformVertex = [&](std::size_t v) {
        const std::span<const Influence> row =
            weights.empty() ? std::span<const Influence>() : std::as_const(weights)[v];
        const VertexMotion motion = palette.blended(row);
        out.positions[v] = motion.rigid * (motion.matrix * widened(mesh.positions[v]));
        if (!mesh.normals.empty()) {
            const Vec3 bind = normalizedOr(widened(mesh.normals[v]), Vec3{0, 1, 0});
            const Vec3 moved = options.normals == NormalRule::Cofactor || row.empty()
                                   ? cofactors(motion.matrix) * bind
                                   : motion.matrix.direction(bind);
            out.normals[v] = rotate(motion.rigid.rotation, directionOr(moved, bind));
        }
        if (!mesh.tangents.empty()) {
            const Vec3 bind = normalizedOr(widened(mesh.tangents[v].direction), Vec3{1, 0, 0});
            const Vec3 moved = motion.matrix.direction(bind);
            out.tangents[v] = rotate(motion.rigid.rotation, directionOr(moved, bind));
        }
    };
    parallelFor(mesh.positions.size(), kChunk, options.threads,
                [&](std::size_t begin, std::size_t end) {
                    for (std::size_t v = begin; v < end; ++v) deformVertex(v);
                });
    return out;
}

Mesh posedMesh(const Skeleton& skeleton, const Mesh& mesh, const ModelPose& pose,
               const DeformOptions& options, std::span<const TwistBone> twists) {
    const ReferenceVertices vertices = deformReference(skeleton, mesh, pose, options, twists);
    Mesh out;
    out.name = mesh.name;
    out.texcoords = mesh.texcoords;
    out.colors = mesh.colors;
    out.indices = mesh.indices;
    out.parts = mesh.parts;
    for (const Vec3& p : vertices.positions) out.positions.push_back(cast<float>(p));
    for (const Vec3& n : vertices.normals) out.normals.push_back(cast<float>(n));
    for (std::size_t v = 0; v < vertices.tangents.size(); ++v)
        out.tangents.push_back({cast<float>(vertices.tangents[v]), mesh.tangents[v].handedness});
    return out;
}

}  // namespace ulna
