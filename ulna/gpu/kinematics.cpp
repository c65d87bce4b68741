// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/kinematics.h"

#include "ulna/gpu/detail/arrays.h"
#include "ulna/gpu/detail/code.h"
#include "ulna/gpu/detail/moving.h"
#include "ulna/gpu/detail/steps.h"
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

struct GpuKinematics::State {
    std::size_t joints = 0, dofs = 0, points = 0;
    std::unique_ptr<Queue> queue;
    Code code;
    FunctionHandle* transforms_kernel = nullptr;
    FunctionHandle* jacobians_kernel = nullptr;
    kernel::Transforms transforms = {};
    kernel::Jacobians jacobians = {};
    Buffer tables, coordinates, out;

    [[nodiscard]] Status upload(const Skeleton& skeleton, std::span<const JointPoint> of);
    [[nodiscard]] Status launchTransforms(std::size_t poses, const float* from, float* to);
    [[nodiscard]] Status launchJacobians(std::size_t poses, const float* from, float* to);
    [[nodiscard]] std::size_t transformsSize() const { return 12 * joints; }
    [[nodiscard]] std::size_t jacobiansSize() const { return 6 * points * dofs; }
};

Status GpuKinematics::State::upload(const Skeleton& skeleton, std::span<const JointPoint> of) {
    const gpu::detail::TransformSteps all = gpu::detail::makeTransformSteps(skeleton);
    const gpu::detail::PointSteps ways = gpu::detail::makePointSteps(skeleton, of);
    Upload bytes;
    const std::size_t portion = bytes.add(all.portions), joint = bytes.add(all.joints);
    const std::size_t step = bytes.add(all.steps), way = bytes.add(ways.ways);
    const std::size_t stretch = bytes.add(ways.stretches), way_step = bytes.add(ways.steps);
    const std::size_t column = bytes.add(ways.columns), idle = bytes.add(ways.idle);
    const std::size_t angle = bytes.add(all.angles);
    if (const Status s = bytes.send(*queue, tables); !s) return s.error();
    transforms.width = jacobians.width = static_cast<int>(dofs);
    transforms.joints = static_cast<int>(joints);
    transforms.portions = static_cast<int>(all.portions.size());
    transforms.portion = Upload::at<kernel::Portion>(tables, portion);
    transforms.joint = Upload::at<kernel::Joint>(tables, joint);
    transforms.step = Upload::at<kernel::Step>(tables, step);
    transforms.angle = Upload::at<float>(tables, angle);
    jacobians.points = static_cast<int>(points);
    jacobians.way = Upload::at<kernel::Way>(tables, way);
    jacobians.stretch = Upload::at<kernel::Stretch>(tables, stretch);
    jacobians.step = Upload::at<kernel::Step>(tables, way_step);
    jacobians.column = Upload::at<kernel::WayColumn>(tables, column);
    jacobians.idle = Upload::at<int>(tables, idle);
    return Done{};
}

Status GpuKinematics::State::launchTransforms(std::size_t poses, const float* from, float* to) {
    if (poses == 0 || joints == 0) return Done{};
    kernel::Transforms task = transforms;
    task.count = static_cast<long long>(poses);
    task.coordinates = from;
    task.model_from_joint = reinterpret_cast<kernel::Four*>(to);
    return queue->launch(transforms_kernel, gpu::detail::movingBlocks(poses), 1,
                         gpu::detail::kMovingThreads, task);
}

Status GpuKinematics::State::launchJacobians(std::size_t poses, const float* from, float* to) {
    if (poses == 0 || points == 0 || dofs == 0) return Done{};
    kernel::Jacobians task = jacobians;
    task.count = static_cast<long long>(poses);
    task.coordinates = from;
    task.out = to;
    return queue->launch(jacobians_kernel, gpu::detail::movingBlocks(poses), points,
                         gpu::detail::kMovingThreads, task);
}

GpuKinematics::GpuKinematics(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuKinematics::GpuKinematics(GpuKinematics&&) noexcept = default;
GpuKinematics& GpuKinematics::operator=(GpuKinematics&&) noexcept = default;
GpuKinematics::~GpuKinematics() = default;

Result<GpuKinematics> GpuKinematics::make(const Skeleton& skeleton,
                                          std::span<const JointPoint> points,
                                          const GpuOptions& gpu) {
    for (const JointPoint& point : points) {
        if (index(point.joint) >= skeleton.jointCount())
            return Diagnostic{.what = "a point is of a joint that the skeleton does not have"};
    }
    if (points.size() > gpu::detail::kMostRows)
        return Diagnostic{.what = "there are Jacobians of too many points",
                          .advice = "65535 at once are the most"};
    const Result<std::shared_ptr<Context>> context = Context::open(gpu.device);
    if (!context)
        return gpu::detail::withFallback(context.error(),
                                         "computeModelBatch computes poses on the processor");
    const Current current(**context);
    auto state = std::make_unique<State>();
    state->joints = skeleton.jointCount();
    state->dofs = skeleton.dofCount();
    state->points = points.size();
    state->queue = std::make_unique<Queue>(*context, gpu.stream);
    Result<Code> code = Code::loadOrCompile(*context, gpu::detail::kMovingSource);
    if (!code) return code.error();
    state->code = *std::move(code);
    for (const auto& [name, to] : {std::pair{"ulnaTransforms", &state->transforms_kernel},
                                   std::pair{"ulnaJacobians", &state->jacobians_kernel}}) {
        const Result<FunctionHandle*> found = state->code.find(name);
        if (!found) return found.error();
        *to = *found;
    }
    if (const Status s = state->upload(skeleton, points); !s) return s.error();
    return GpuKinematics(std::move(state));
}

Status GpuKinematics::computeTransforms(std::size_t poses, const float* coordinates,
                                        float* model_from_joint) {
    State& s = *state_;
    for (const Status& status :
         {checkAddress(coordinates, "coordinates", sizeof(float), poses * s.dofs),
          checkAddress(model_from_joint, "model_from_joint", sizeof(kernel::Four),
                       poses * s.joints)}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    return s.launchTransforms(poses, coordinates, model_from_joint);
}

Status GpuKinematics::computeJacobians(std::size_t poses, const float* coordinates,
                                       float* jacobians) {
    State& s = *state_;
    for (const Status& status :
         {checkAddress(coordinates, "coordinates", sizeof(float), poses * s.dofs),
          checkAddress(jacobians, "jacobians", sizeof(float), poses * s.jacobiansSize())}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    return s.launchJacobians(poses, coordinates, jacobians);
}

Status GpuKinematics::computeTransforms(std::span<const float> coordinates,
                                        std::span<float> model_from_joint) {
    State& s = *state_;
    if (s.joints == 0) return checkSize(coordinates.size(), "coordinates", 0);
    const std::size_t poses = model_from_joint.size() / s.transformsSize();
    for (const Status& status :
         {checkSize(model_from_joint.size(), "model_from_joint", poses * s.transformsSize()),
          checkSize(coordinates.size(), "coordinates", poses * s.dofs)}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    for (const Status& status :
         {s.queue->copyIn(s.coordinates, coordinates.data(), coordinates.size_bytes()),
          s.out.grow(s.queue->context(), model_from_joint.size_bytes())}) {
        if (!status) return status.error();
    }
    if (const Status done =
            s.launchTransforms(poses, s.coordinates.as<const float>(), s.out.as<float>());
        !done)
        return done.error();
    if (const Status copied = s.queue->copyOut(model_from_joint.data(), s.out.address(),
                                               model_from_joint.size_bytes());
        !copied)
        return copied.error();
    return s.queue->wait();
}

Status GpuKinematics::computeJacobians(std::span<const float> coordinates,
                                       std::span<float> jacobians) {
    State& s = *state_;
    if (s.jacobiansSize() == 0) return checkSize(jacobians.size(), "jacobians", 0);
    const std::size_t poses = coordinates.size() / s.dofs;
    for (const Status& status :
         {checkSize(coordinates.size(), "coordinates", poses * s.dofs),
          checkSize(jacobians.size(), "jacobians", poses * s.jacobiansSize())}) {
        if (!status) return status.error();
    }
    const Current current(*s.queue->context());
    for (const Status& status :
         {s.queue->copyIn(s.coordinates, coordinates.data(), coordinates.size_bytes()),
          s.out.grow(s.queue->context(), jacobians.size_bytes())}) {
        if (!status) return status.error();
    }
    if (const Status done =
            s.launchJacobians(poses, s.coordinates.as<const float>(), s.out.as<float>());
        !done)
        return done.error();
    if (const Status copied =
            s.queue->copyOut(jacobians.data(), s.out.address(), jacobians.size_bytes());
        !copied)
        return copied.error();
    return s.queue->wait();
}

void GpuKinematics::setStream(GpuStream stream) {
    state_->queue->setStream(stream);
}

std::size_t GpuKinematics::jointCount() const {
    return state_->joints;
}
std::size_t GpuKinematics::dofCount() const {
    return state_->dofs;
}
std::size_t GpuKinematics::pointCount() const {
    return state_->points;
}

}  // namespace ulna
