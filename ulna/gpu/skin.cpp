// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/skin.h"

#include <algorithm>

#include "ulna/gpu/detail/arrays.h"
#include "ulna/gpu/detail/code.h"
#include "ulna/gpu/detail/moving.h"
#include "ulna/gpu/detail/skin_tables.h"
#include "ulna/gpu/detail/upload.h"

namespace ulna {

using gpu::detail::Buffer;
using gpu::detail::checkAddress;
using gpu::detail::checkSize;
using gpu::detail::Code;
using gpu::detail::Context;
using gpu::detail::Current;
using gpu::detail::FunctionHandle;
using gpu::detail::Queue;
using gpu::detail::Upload;
namespace kernel = gpu::kernel;

struct GpuSkin::State {
    std::size_t vertices = 0, joints = 0;
    bool normals = false;
    std::unique_ptr<Queue> queue;
    Code code;
    FunctionHandle* palette_kernel = nullptr;
    FunctionHandle* skin_kernel = nullptr;
    kernel::SkinMesh mesh = {};
    kernel::SkinTask task = {};
    Buffer tables;                              // set up once
    Buffer matrices, motions, stretched;        // of the palette of some poses
    Buffer model, positions, normals_of_poses;  // of arrays of the host

    [[nodiscard]] Status upload(const Skeleton& skeleton, const Mesh& from);
    [[nodiscard]] Status deform(std::size_t poses, const float* from, float* to, float* normals_to);
};

Status GpuSkin::State::upload(const Skeleton& skeleton, const Mesh& from) {
    const gpu::detail::SkinTables all = gpu::detail::makeSkinTables(skeleton, from);
    Upload bytes;
    const std::size_t vertex = bytes.add(all.vertices), weight = bytes.add(all.further_weights);
    const std::size_t joint = bytes.add(all.further_joints), bind = bytes.add(all.joint_from_bind);
    const std::size_t at_bind = bytes.add(all.at_bind);
    if (const Status s = bytes.send(*queue, tables); !s) return s.error();
    mesh.vertices = static_cast<int>(vertices);
    mesh.joints = static_cast<int>(joints);
    mesh.vertex = Upload::at<kernel::SkinVertex>(tables, vertex);
    mesh.further_weight = Upload::at<float>(tables, weight);
    mesh.further_joint = Upload::at<int>(tables, joint);
    task.joint_from_bind = Upload::at<double>(tables, bind);
    task.at_bind = Upload::at<double>(tables, at_bind);
    return Done{};
}

// So many poses at a time: their palette is small beside their vertices.
Status GpuSkin::State::deform(std::size_t poses, const float* from, float* to, float* normals_to) {
    if (vertices == 0) return Done{};
    constexpr std::size_t kMostPoses = 16384;
    const std::size_t part = std::min(poses, kMostPoses);
    const auto groupsOf = [](std::size_t count) {
        return (count + kernel::kTogether - 1) / kernel::kTogether;
    };
    const std::size_t entries = groupsOf(part) * kernel::kTogether * (joints + 1);
    const auto& context = queue->context();
    for (const Status& s : {matrices.grow(context, 12 * sizeof(float) * entries),
                            motions.grow(context, task.dual ? 8 * sizeof(float) * entries : 0),
                            stretched.grow(context, sizeof(int) * groupsOf(part))}) {
        if (!s) return s.error();
    }
    for (std::size_t begin = 0; begin < poses; begin += part) {
        const std::size_t count = std::min(part, poses - begin);
        kernel::SkinTask own = task;
        own.poses = static_cast<long long>(count);
        own.model_from_joint = reinterpret_cast<const kernel::Four*>(from + 12 * joints * begin);
        own.matrices = matrices.as<float>();
        own.motions = motions.as<float>();
        own.stretched = stretched.as<int>();
        own.positions = to + 3 * vertices * begin;
        own.normals = normals_to == nullptr ? nullptr : normals_to + 3 * vertices * begin;
        const std::size_t groups = groupsOf(count);
        for (const Status& s :
             {queue->clear(stretched.address(), sizeof(int) * groups),
              queue->launch(palette_kernel,
                            gpu::detail::movingBlocks(groups * kernel::kTogether * (joints + 1)), 1,
                            gpu::detail::kMovingThreads, mesh, own),
              queue->launch(skin_kernel, gpu::detail::movingBlocks(vertices), groups,
                            gpu::detail::kMovingThreads, mesh, own)}) {
            if (!s) return s.error();
        }
    }
    return Done{};
}

GpuSkin::GpuSkin(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuSkin::GpuSkin(GpuSkin&&) noexcept = default;
GpuSkin& GpuSkin::operator=(GpuSkin&&) noexcept = default;
GpuSkin::~GpuSkin() = default;

Result<GpuSkin> GpuSkin::make(const Skeleton& skeleton, const Mesh& mesh,
                              const DeformOptions& options, const GpuOptions& gpu) {
    ULNA_ASSERT(mesh.weights.empty() || mesh.weights.rowCount() == mesh.positions.size(),
                "the mesh needs a row of weights per vertex, or none");
    ULNA_ASSERT(
        mesh.joint_from_bind.empty() || mesh.joint_from_bind.size() == skeleton.jointCount(),
        "the mesh needs a bind matrix per joint, or none");
    const Result<std::shared_ptr<Context>> context = Context::open(gpu.device);
    if (!context)
        return gpu::detail::withFallback(context.error(),
                                         "Deformer deforms meshes on the processor");
    const Current current(**context);
    auto state = std::make_unique<State>();
    state->vertices = mesh.positions.size();
    state->joints = skeleton.jointCount();
    state->normals = !mesh.normals.empty();
    state->task.dual = options.blend == SkinBlend::DualQuaternion;
    state->task.plain_normals = options.normals == NormalRule::Plain;
    state->queue = std::make_unique<Queue>(*context, gpu.stream);
    Result<Code> code = Code::loadOrCompile(*context, gpu::detail::kMovingSource);
    if (!code) return code.error();
    state->code = *std::move(code);
    for (const auto& [name, to] :
         {std::pair{"ulnaPalette", &state->palette_kernel},
          std::pair{state->task.dual ? "ulnaSkinDual" : "ulnaSkinLinear", &state->skin_kernel}}) {
        const Result<FunctionHandle*> found = state->code.find(name);
        if (!found) return found.error();
        *to = *found;
    }
    if (const Status s = state->upload(skeleton, mesh); !s) return s.error();
    return GpuSkin(std::move(state));
}

Status GpuSkin::deform(std::size_t poses, const float* model_from_joint, float* positions,
                       float* normals) {
    State& s = *state_;
    if (normals != nullptr && !s.normals) return Diagnostic{.what = "the mesh has no normals"};
    for (const Status& status :
         {checkAddress(model_from_joint, "model_from_joint", sizeof(kernel::Four),
                       poses * s.joints),
          checkAddress(positions, "positions", sizeof(float), poses * s.vertices)}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    return s.deform(poses, model_from_joint, positions, normals);
}

Status GpuSkin::deform(std::span<const float> model_from_joint, std::span<float> positions,
                       std::span<float> normals) {
    State& s = *state_;
    if (!normals.empty() && !s.normals) return Diagnostic{.what = "the mesh has no normals"};
    if (s.vertices == 0) return checkSize(positions.size(), "positions", 0);
    const std::size_t poses = positions.size() / (3 * s.vertices);
    const std::size_t values = 3 * s.vertices * poses;
    for (const Status& status :
         {checkSize(positions.size(), "positions", values),
          checkSize(normals.size(), "normals", normals.empty() ? 0 : values),
          checkSize(model_from_joint.size(), "model_from_joint", 12 * s.joints * poses)}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    const auto& context = s.queue->context();
    for (const Status& status :
         {s.queue->copyIn(s.model, model_from_joint.data(), model_from_joint.size_bytes()),
          s.positions.grow(context, positions.size_bytes()),
          s.normals_of_poses.grow(context, normals.size_bytes())}) {
        if (!status) return status.error();
    }
    if (const Status done = s.deform(poses, s.model.as<const float>(), s.positions.as<float>(),
                                     normals.empty() ? nullptr : s.normals_of_poses.as<float>());
        !done)
        return done.error();
    for (const Status& copied :
         {s.queue->copyOut(positions.data(), s.positions.address(), positions.size_bytes()),
          s.queue->copyOut(normals.data(), s.normals_of_poses.address(), normals.size_bytes()),
          s.queue->wait()}) {
        if (!copied) return copied.error();
    }
    return Done{};
}

void GpuSkin::setStream(GpuStream stream) {
    state_->queue->setStream(stream);
}

std::size_t GpuSkin::vertexCount() const {
    return state_->vertices;
}
std::size_t GpuSkin::jointCount() const {
    return state_->joints;
}
bool GpuSkin::hasNormals() const {
    return state_->normals;
}

}  // namespace ulna
