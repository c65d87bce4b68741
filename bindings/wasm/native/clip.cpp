// SPDX-License-Identifier: Apache-2.0

// Clips: sampling them, and making others of them. Keys are in keys.cpp, layers in layers.cpp.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/character/clip_bytes.h"
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
    return new ClipObject{
        .skeleton = like.skeleton,
        .clip = std::move(clip),
        .interpolation = like.interpolation,
        .pose = like.pose,
        .frame_rate = like.frame_rate > 0.0 ? like.frame_rate : frameRateOf(like.clip)};
}

void samplePoseOf(ClipObject& object, double time) {
    if (object.layered)
        object.layered->sample(time, object.pose);
    else
        samplePose(object.clip, time, object.pose);
}

// Frames, at the rate in which the clip's keys are counted.
Result<Motion> framesOfClip(ClipObject& object) {
    const Clip& clip = wholeClip(object);
    return makeFrames(clip, std::holds_alternative<Motion>(clip) ? 0.0 : object.frame_rate);
}

ClipObject* answer(const ClipObject& like, Result<Motion> motion) {
    if (motion) return answer(like, Clip(*std::move(motion)));
    fail(motion.error());
    return nullptr;
}

}  // namespace

const Clip& wholeClip(ClipObject& object) {
    if (!object.whole) {
        object.clip = object.layered->whole();
        object.whole = true;
    }
    return object.clip;
}

/// The base pose is in the input.
ClipObject* clipMake(SkeletonObject& skeleton) {
    auto* object = new ClipObject{skeleton.skeleton, KeyedMotion{}};
    object->pose = restPose(*object->skeleton);
    readPose(0, object->pose);
    std::get<KeyedMotion>(object->clip).base = object->pose;
    return object;
}

static ClipReply describeLayered(const LayeredClip& clip) {
    return {.is_frames = true,
            .duration = clip.duration(),
            .frame_time = clip.frameTime(),
            .frame_count = clip.frameCount(),
            .dense = isDense(clip.base()),
            .name = nameOf(clip.base())};
}

ClipReply clipDescribe(ClipObject& object) {
    if (object.layered) return describeLayered(*object.layered);
    if (const auto* motion = std::get_if<Motion>(&object.clip)) {
        return {.is_frames = true,
                .duration = motion->duration(),
                .frame_time = motion->frameTime(),
                .frame_count = motion->frameCount(),
                .dense = isDense(object.clip),
                .name = motion->name};
    }
    const auto& keys = std::get<KeyedMotion>(object.clip);
    const double rate = object.frame_rate > 0.0 ? object.frame_rate : guessFrameRate(keys);
    return {.duration = std::max(0.0, keys.endTime()),
            .frame_time = rate > 0.0 ? 1.0 / rate : 0.0,
            .key_count = keys.keyCount(),
            .dense = isDense(object.clip),
            .name = keys.name};
}

void clipRename(ClipObject& object, std::size_t bytes) {
    const std::string name(inputBytes(0), bytes);
    if (object.layered) object.layered->rename(name);
    std::visit([&](auto& clip) { clip.name = name; }, object.clip);
}

/// The pose comes in the input.
void clipSample(ClipObject& object, double time) {
    samplePoseOf(object, time);
    writePose(object.pose, 0);
}

void clipTrail(ClipObject& object, JointId joint, double from, double to, std::size_t count) {
    clearReply();
    for (std::size_t i = 0; i < count; ++i) {
        samplePoseOf(object, timeAt(from, to, count, i));
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
        samplePoseOf(object, timeAt(from, to, count, i));
        if (stage != nullptr) stage->stage->enter(object.pose);
        computeJointDofs(skeleton, joint, object.pose[joint], dofs);
        putArray(dofs);
    }
}

ClipObject* clipClone(ClipObject& object) {
    return new ClipObject(object);
}

ClipObject* clipKeyed(ClipObject& object) {
    if (const auto* motion = std::get_if<Motion>(&wholeClip(object)))
        return answer(object, Clip(makeKeyed(*motion)));
    return new ClipObject(object);
}

ClipObject* clipEditable(ClipObject& object, SkeletonObject& skeleton) {
    return answer(object, Clip(editableClip(*object.skeleton, wholeClip(object), upOf(skeleton))));
}

ClipObject* clipSampled(ClipObject& object, double fps) {
    return answer(object, makeFrames(wholeClip(object), fps));
}

ClipObject* clipTrimmed(ClipObject& object, double from, double to) {
    const Result<Motion> frames = framesOfClip(object);
    return answer(object, frames ? trimmed(*frames, from, to) : frames);
}

ClipObject* clipReduced(ClipObject& object, SkeletonObject& skeleton) {
    const auto request = readRequest<ReduceRequest>();
    const ReduceOptions options{.tolerance = request.tolerance.value_or(
                                    usualReduceTolerance(*skeleton.skeleton, upOf(skeleton))),
                                .interpolation = request.interpolation};
    const Result<Motion> frames = framesOfClip(object);
    if (!frames) {
        fail(frames.error());
        return nullptr;
    }
    Result<ReducedMotion> reduced = reduceKeys(*object.skeleton, *frames, options, tellProgress);
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

void clipSetRate(ClipObject& object, double fps) {
    object.frame_rate = fps;
}

void clipBytes(ClipObject& object) {
    clearReply();
    const std::string bytes = clipBytes(wholeClip(object));
    putBytes(&object.frame_rate, sizeof object.frame_rate);
    putBytes(bytes.data(), bytes.size());
}

/// The bytes are in the input.
ClipObject* clipOfBytes(SkeletonObject& skeleton, std::size_t size) {
    std::string_view bytes(inputBytes(0), size);
    double frame_rate = 0.0;
    if (bytes.size() >= sizeof frame_rate) {
        std::memcpy(&frame_rate, bytes.data(), sizeof frame_rate);
        bytes.remove_prefix(sizeof frame_rate);
    }
    Result<Clip> clip = clipOfBytes(*skeleton.skeleton, bytes);
    if (!clip) {
        fail(clip.error());
        return nullptr;
    }
    return new ClipObject{
        .skeleton = skeleton.skeleton,
        .clip = *std::move(clip),
        .pose = restPose(*skeleton.skeleton),
        .frame_rate = frame_rate > 0.0 && std::isfinite(frame_rate) ? frame_rate : 0.0};
}

}  // namespace ulna::engine
