// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/deform.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/core/parallel.h"
#include "ulna/skin/detail/deform_simd.h"
#include "ulna/skin/detail/joint_motion.h"
#include "ulna/skin/detail/packed_skin.h"
#include "ulna/skin/detail/palette_simd.h"
#include "ulna/skin/detail/twist_frames.h"

namespace ulna {
namespace {

// Floats of a rigid motion: the real part, then the dual.
constexpr std::size_t kMotion = 8;

SkinMatrix narrowed(const Affine& a) {
    SkinMatrix out;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 4; ++k) out.rows[i][k] = static_cast<float>(a.columns[k][i]);
    return out;
}

void put(const Quat& q, float* to) {
    to[0] = static_cast<float>(q.x), to[1] = static_cast<float>(q.y);
    to[2] = static_cast<float>(q.z), to[3] = static_cast<float>(q.w);
}

// Floats of `count` vertices, `width` each, to every `stride` bytes.
void spreadOut(const float* from, std::size_t width, std::size_t count, float* to,
               std::size_t stride) {
    auto* bytes = reinterpret_cast<std::byte*>(to);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(bytes + i * stride, from + i * width, width * sizeof(float));
}

float* advanced(std::span<float> to, std::size_t bytes) {
    return reinterpret_cast<float*>(reinterpret_cast<std::byte*>(to.data()) + bytes);
}

// Whether a span has room for `count` vertices of `width` floats.
[[maybe_unused]] bool holds(std::span<const float> span, std::size_t width, std::size_t count,
                            std::size_t stride) {
    const std::size_t bytes = width * sizeof(float);
    return count == 0 || span.size_bytes() >= (count - 1) * (stride == 0 ? bytes : stride) + bytes;
}

// By way of a tile that stays in the first cache: the loops write packed vertices only.
void deformStrided(const skin::detail::PackedSkin& skin,
                   std::span<const skin::detail::SkinRun> runs, skin::detail::DeformTask task,
                   const VertexBuffer& out) {
    constexpr std::size_t kTile = 4 * skin::detail::kSkinBlock;
    float positions[3 * kTile], normals[3 * kTile], tangents[4 * kTile];
    task.positions = positions;
    task.normals = out.normals.empty() ? nullptr : normals;
    task.tangents = out.tangents.empty() ? nullptr : tangents;
    for (skin::detail::SkinRun run : runs) {
        const std::size_t end = run.vertex + run.count;
        while (run.vertex < end) {
            run.count = static_cast<std::uint32_t>(std::min<std::size_t>(kTile, end - run.vertex));
            task.first = run.vertex;
            skin::detail::deformRuns(skin, {&run, 1}, task);
            const std::size_t at = run.vertex * out.stride;
            spreadOut(positions, 3, run.count, advanced(out.positions, at), out.stride);
            if (task.normals != nullptr)
                spreadOut(normals, 3, run.count, advanced(out.normals, at), out.stride);
            if (task.tangents != nullptr)
                spreadOut(tangents, 4, run.count, advanced(out.tangents, at), out.stride);
            run.vertex += run.count;
            run.slot += std::size_t{run.count} * run.influences;
        }
    }
}

}  // namespace

std::span<const SkinMatrix> SkinPalette::matrices() const {
    return std::span(matrices_).first(matrices_.empty() ? 0 : matrices_.size() - 1);
}

Deformer::Deformer(const Skeleton& skeleton, const Mesh& mesh, std::span<const TwistBone> twists)
    : parents_(skeleton.parents().begin(), skeleton.parents().end()),
      joint_from_bind_(bindMatrices(skeleton, mesh)) {
    ULNA_ASSERT(mesh.weights.empty() || mesh.weights.rowCount() == mesh.positions.size(),
                "the mesh needs a row of weights per vertex, or none");
    ULNA_ASSERT(joint_from_bind_.size() == skeleton.jointCount(),
                "the mesh needs a bind matrix per joint, or none");
    const Affine rest = restPlacement(skeleton, mesh);
    skin::detail::TwistFrames frames(skeleton, joint_from_bind_, twists);
    if (!frames.empty()) {
        joint_from_bind_ = frames.withFrames(std::move(joint_from_bind_));
        Mesh spread = mesh;
        spread.weights = frames.spread(mesh);
        skin_ = std::make_shared<const skin::detail::PackedSkin>(
            skin::detail::packSkin(spread, joint_from_bind_.size(), rest));
        twists_ = std::make_shared<const skin::detail::TwistFrames>(std::move(frames));
    } else {
        skin_ = std::make_shared<const skin::detail::PackedSkin>(
            skin::detail::packSkin(mesh, joint_from_bind_.size(), rest));
    }
    positions_at_bind_ = skin::detail::jointPositionsAtBind(joint_from_bind_);
}

std::size_t Deformer::vertexCount() const {
    return skin_->vertices;
}

void Deformer::makeMotions(std::span<const Affine> model_from_joint, SkinPalette& out) const {
    const std::size_t joints = joint_from_bind_.size();
    out.stretches_ = false;
    out.exact_.resize(joints);
    skin::detail::multiplyBind(model_from_joint, joint_from_bind_, out.exact_.data());
    out.rotations_.assign(joints + 1, Quat{});
    out.joint_motions_.assign(kMotion * (joints + 1), 0.0f);
    for (std::size_t j = 0; j < joints; ++j) {
        const skin::detail::JointMotion split =
            skin::detail::splitMotion(out.exact_[j], positions_at_bind_[j]);
        const skin::detail::DualQuat motion = skin::detail::toDualQuat(split.motion);
        out.stretches_ = out.stretches_ || split.stretches;
        out.matrices_[j] = split.stretches ? narrowed(split.stretch) : SkinMatrix{};
        out.rotations_[j] = motion.real;
        put(motion.real, &out.joint_motions_[kMotion * j]);
        put(motion.dual, &out.joint_motions_[kMotion * j + 4]);
    }
    put(Quat{}, &out.joint_motions_[kMotion * joints]);
    out.motions_.resize(kMotion * skin_->pairs.size());
    float* to = out.motions_.data();
    for (const skin::detail::JointPair& pair : skin_->pairs) {
        const float* own = &out.joint_motions_[kMotion * pair.own];
        // q and -q are the same rotation, but not half of it.
        const double cosine = dot(out.rotations_[pair.own], out.rotations_[pair.first]);
        const float sign = cosine < 0.0 ? -1.0f : 1.0f;
        for (std::size_t i = 0; i < kMotion; ++i) to[i] = sign * own[i];
        to += kMotion;
    }
}

void Deformer::makePalette(std::span<const Affine> model_from_joint, SkinBlend blend,
                           SkinPalette& out) const {
    ULNA_ASSERT(model_from_joint.size() == parents_.size(),
                "the pose needs one transform per joint");
    if (twists_ != nullptr) {
        twists_->addFrames(model_from_joint, out.framed_);
        model_from_joint = out.framed_;
    }
    const std::size_t joints = joint_from_bind_.size();
    out.blend_ = blend;
    out.matrices_.resize(joints + 1);
    if (blend == SkinBlend::DualQuaternion)
        makeMotions(model_from_joint, out);
    else
        skin::detail::multiplyBind(model_from_joint, joint_from_bind_, out.matrices_.data());
    out.matrices_[joints] = {};
}

void Deformer::computePalette(const ModelPose& pose, SkinBlend blend, SkinPalette& out) const {
    makePalette(pose.model_from_joint, blend, out);
}

void Deformer::computePalette(const FloatPose& pose, SkinBlend blend, SkinPalette& out) const {
    ULNA_ASSERT(pose.jointCount() == parents_.size(), "the pose needs one transform per joint");
    out.exact_.resize(parents_.size());
    skin::detail::composePose(pose, parents_, out.exact_);
    makePalette(out.exact_, blend, out);
}

void Deformer::deform(const SkinPalette& palette, const DeformOptions& options,
                      const VertexBuffer& out) const {
    ULNA_ASSERT(palette.matrices_.size() == joint_from_bind_.size() + 1,
                "the palette is not of this skeleton");
    ULNA_ASSERT(palette.blend_ == SkinBlend::Linear ||
                    palette.motions_.size() == kMotion * skin_->pairs.size(),
                "the palette is of another mesh");
    ULNA_ASSERT(holds(out.positions, 3, skin_->vertices, out.stride),
                "the buffer has no room for all positions");
    ULNA_ASSERT(out.normals.empty() || !skin_->normals.empty(), "the mesh has no normals");
    ULNA_ASSERT(out.normals.empty() || holds(out.normals, 3, skin_->vertices, out.stride),
                "the buffer has no room for all normals");
    ULNA_ASSERT(out.tangents.empty() || !skin_->tangents.empty(), "the mesh has no tangents");
    ULNA_ASSERT(out.tangents.empty() || holds(out.tangents, 4, skin_->vertices, out.stride),
                "the buffer has no room for all tangents");
    skin::detail::DeformTask task;
    const bool linear = palette.blend_ == SkinBlend::Linear;
    if (linear || palette.stretches_) task.matrices = palette.matrices_.data()->rows[0];
    if (!linear) task.motions = palette.motions_.data();
    task.rule = options.normals;
    task.positions = out.positions.data();
    task.normals = out.normals.data();
    task.tangents = out.tangents.data();
    const auto deformChunk = [&](std::size_t begin, std::size_t) {
        const std::size_t chunk = begin / skin::detail::kSkinChunk;
        const std::size_t first = skin_->first_run[chunk];
        const auto runs =
            std::span(skin_->runs).subspan(first, skin_->first_run[chunk + 1] - first);
        if (out.stride == 0)
            skin::detail::deformRuns(*skin_, runs, task);
        else
            deformStrided(*skin_, runs, task, out);
    };
    parallelFor(skin_->vertices, skin::detail::kSkinChunk, options.threads, deformChunk);
}

template <class SomePose>
void Deformer::deformPose(const SomePose& pose, const DeformOptions& options,
                          DeformedVertices& out) const {
    const std::size_t vertices = skin_->vertices;
    out.positions.resize(vertices);
    out.normals.resize(skin_->normals.empty() ? 0 : vertices);
    out.tangents.resize(skin_->tangents.empty() ? 0 : vertices);
    computePalette(pose, options.blend, out.palette);
    if (vertices == 0) return;
    VertexBuffer to{.positions = {&out.positions[0].x, 3 * vertices}};
    if (!out.normals.empty()) to.normals = {&out.normals[0].x, 3 * vertices};
    if (!out.tangents.empty()) to.tangents = {&out.tangents[0].direction.x, 4 * vertices};
    deform(out.palette, options, to);
}

void Deformer::deform(const ModelPose& pose, const DeformOptions& options,
                      DeformedVertices& out) const {
    deformPose(pose, options, out);
}

void Deformer::deform(const FloatPose& pose, const DeformOptions& options,
                      DeformedVertices& out) const {
    deformPose(pose, options, out);
}

}  // namespace ulna
