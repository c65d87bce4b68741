// SPDX-License-Identifier: Apache-2.0

// Clips: sampling them, and making others of them. Keys are in keys.cpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/reduce.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

// The i-th of `count` times from `from` to `to`.
double timeAt(double from, double to, std::size_t count, std::size_t i) {
    if (count < 2) return from;
    return from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
}

ClipObject* answer(const ClipObject& like, Clip clip) {
    return new ClipObject{like.skeleton, std::move(clip), like.interpolation, like.pose};
}

ClipObject* answer(const ClipObject& like, Result<Motion> motion) {
    if (motion) return answer(like, Clip(*std::move(motion)));
    fail(motion.error());
    return nullptr;
}

}  // namespace

/// The base pose is in the input.
ClipObject* clipMake(SkeletonObject& skeleton) {
    auto* object = new ClipObject{skeleton.skeleton, KeyedMotion{}};
    object->pose = restPose(*object->skeleton);
    readPose(0, object->pose);
    std::get<KeyedMotion>(object->clip).base = object->pose;
    return object;
}

ClipReply clipDescribe(ClipObject& object) {
    if (const auto* motion = std::get_if<Motion>(&object.clip)) {
        return {.is_frames = true,
                .duration = motion->duration(),
                .frame_time = motion->frameTime(),
                .frame_count = motion->frameCount(),
                .name = motion->name};
    }
    const auto& keys = std::get<KeyedMotion>(object.clip);
    const double rate = guessFrameRate(keys);
    return {.duration = std::max(0.0, keys.endTime()),
            .frame_time = rate > 0.0 ? 1.0 / rate : 0.0,
            .key_count = keys.keyCount(),
            .name = keys.name};
}

void clipRename(ClipObject& object, std::size_t bytes) {
    const std::string name(inputBytes(0), bytes);
    std::visit([&](auto& clip) { clip.name = name; }, object.clip);
}

/// The pose comes in the input.
void clipSample(ClipObject& object, double time) {
    samplePose(object.clip, time, object.pose);
    writePose(object.pose, 0);
}

void clipTrail(ClipObject& object, JointId joint, double from, double to, std::size_t count) {
    clearReply();
    for (std::size_t i = 0; i < count; ++i) {
        samplePose(object.clip, timeAt(from, to, count, i), object.pose);
        const Vec3f place =
            ulna::cast<float>(computeModelPoint(*object.skeleton, object.pose, joint, {}));
        putBytes(&place, sizeof place);
    }
}

void clipDofCurves(ClipObject& object, StageObject* stage, JointId joint, double from, double to,
                   std::size_t count) {
    const Skeleton& skeleton = stage == nullptr ? *object.skeleton : stage->stage->skeleton;
    std::vector<double> dofs(skeleton.dofCount(joint));
    clearReply();
    for (std::size_t i = 0; i < count; ++i) {
        samplePose(object.clip, timeAt(from, to, count, i), object.pose);
        if (stage != nullptr) stage->stage->enter(object.pose);
        computeJointDofs(skeleton, joint, object.pose[joint], dofs);
        putArray(dofs);
    }
}

ClipObject* clipClone(ClipObject& object) {
    return new ClipObject(object);
}

ClipObject* clipKeyed(ClipObject& object) {
    if (const auto* motion = std::get_if<Motion>(&object.clip))
        return answer(object, Clip(makeKeyed(*motion)));
    return new ClipObject(object);
}

ClipObject* clipEditable(ClipObject& object, SkeletonObject& skeleton) {
    return answer(object, Clip(editableClip(*object.skeleton, object.clip, upOf(skeleton))));
}

ClipObject* clipSampled(ClipObject& object, double fps) {
    return answer(object, makeFrames(object.clip, fps));
}

ClipObject* clipTrimmed(ClipObject& object, double from, double to) {
    const Result<Motion> frames = makeFrames(object.clip);
    return answer(object, frames ? trimmed(*frames, from, to) : frames);
}

ClipObject* clipReduced(ClipObject& object, SkeletonObject& skeleton) {
    const auto request = readRequest<ReduceRequest>();
    const ReduceOptions options{.tolerance = request.tolerance.value_or(
                                    usualReduceTolerance(*skeleton.skeleton, upOf(skeleton))),
                                .interpolation = request.interpolation};
    const Result<Motion> frames = makeFrames(object.clip);
    if (!frames) {
        fail(frames.error());
        return nullptr;
    }
    Result<ReducedMotion> reduced = reduceKeys(*object.skeleton, *frames, options);
    if (!reduced) {
        fail(reduced.error());
        return nullptr;
    }
    clearReply();
    put(reduced->report);
    ClipObject* out = answer(object, Clip(std::move(reduced->motion)));
    out->interpolation = options.interpolation;
    return out;
}

}  // namespace ulna::engine
