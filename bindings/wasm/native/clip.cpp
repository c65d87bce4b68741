// SPDX-License-Identifier: Apache-2.0

// Clips: sampling them, and making others of them. Keys are in keys.cpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/reduce.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

void sampleInto(const ClipObject& object, double time, Pose& pose) {
    if (const auto* keys = std::get_if<KeyedMotion>(&object.clip)) {
        samplePose(*keys, time, pose);
    } else {
        pose = samplePose(std::get<Motion>(object.clip), time);
    }
}

// The i-th of `count` times from `from` to `to`.
double timeAt(double from, double to, std::size_t count, std::size_t i) {
    if (count < 2) return from;
    return from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
}

ClipObject* answer(const ClipObject& like, std::variant<Motion, KeyedMotion> clip) {
    return new ClipObject{like.skeleton, std::move(clip), like.interpolation, like.pose};
}

ClipObject* answer(const ClipObject& like, Result<Motion> motion) {
    if (motion) return answer(like, std::variant<Motion, KeyedMotion>(*std::move(motion)));
    fail(motion.error());
    return nullptr;
}

// Frames at a rate; of frames themselves, where none is given.
Result<Motion> framesOf(const ClipObject& object, double frame_time) {
    if (const auto* keys = std::get_if<KeyedMotion>(&object.clip))
        return makeSampled(*keys, frame_time);
    const Motion& motion = std::get<Motion>(object.clip);
    return frame_time == motion.frameTime() ? Result<Motion>(motion)
                                            : resampled(motion, frame_time);
}

}  // namespace

double frameTimeOf(const ClipObject& object) {
    if (const auto* motion = std::get_if<Motion>(&object.clip)) return motion->frameTime();
    constexpr double kUsual = 60.0;
    const double rate = guessFrameRate(std::get<KeyedMotion>(object.clip));
    return 1.0 / (rate > 0.0 ? rate : kUsual);
}

Result<Motion> motionOf(const ClipObject& object, double fps) {
    return framesOf(object, fps > 0.0 ? 1.0 / fps : frameTimeOf(object));
}

ULNA_EXPORT(void, clipFree)(ClipObject* object) {
    delete object;
}

/// The base pose is in the input.
ULNA_EXPORT(ClipObject*, clipMake)(const SkeletonObject* skeleton) {
    auto* object = new ClipObject{skeleton->skeleton, KeyedMotion{}};
    object->pose = restPose(*object->skeleton);
    readPose(0, object->pose);
    std::get<KeyedMotion>(object->clip).base = object->pose;
    return object;
}

ULNA_EXPORT(void, clipDescribe)(const ClipObject* object) {
    const auto* motion = std::get_if<Motion>(&object->clip);
    const auto* keys = std::get_if<KeyedMotion>(&object->clip);
    clearReply();
    put(motion != nullptr ? 1.0 : 0.0);
    put(motion != nullptr ? motion->duration() : std::max(0.0, keys->endTime()));
    const double rate = keys != nullptr ? guessFrameRate(*keys) : 0.0;
    put(motion != nullptr ? motion->frameTime() : rate > 0.0 ? 1.0 / rate : 0.0);
    put(motion != nullptr ? static_cast<double>(motion->frameCount()) : 0.0);
    put(keys != nullptr ? static_cast<double>(keys->keyCount()) : 0.0);
    put(std::string_view(motion != nullptr ? motion->name : keys->name));
}

ULNA_EXPORT(void, clipRename)(ClipObject* object, std::size_t bytes) {
    const std::string name(inputBytes(0), bytes);
    std::visit([&](auto& clip) { clip.name = name; }, object->clip);
}

/// The pose comes in the input's place.
ULNA_EXPORT(void, clipSample)(ClipObject* object, double time) {
    sampleInto(*object, time, object->pose);
    writePose(object->pose, 0);
}

ULNA_EXPORT(void, clipTrail)
(ClipObject* object, JointId joint, double from, double to, std::size_t count) {
    clearReply();
    for (std::size_t i = 0; i < count; ++i) {
        sampleInto(*object, timeAt(from, to, count, i), object->pose);
        const Vec3f place =
            ulna::cast<float>(computeModelPoint(*object->skeleton, object->pose, joint, {}));
        putBytes(&place, sizeof place);
    }
}

ULNA_EXPORT(void, clipDofCurves)
(ClipObject* object, const std::shared_ptr<StageObject>* stage, JointId joint, double from,
 double to, std::size_t count) {
    const Skeleton& skeleton = stage == nullptr ? *object->skeleton : *(*stage)->skeleton;
    std::vector<double> dofs(skeleton.dofCount(joint));
    clearReply();
    for (std::size_t i = 0; i < count; ++i) {
        sampleInto(*object, timeAt(from, to, count, i), object->pose);
        if (stage != nullptr) (*stage)->enter(object->pose);
        computeJointDofs(skeleton, joint, object->pose[joint], dofs.data());
        putArray(dofs);
    }
}

ULNA_EXPORT(ClipObject*, clipClone)(const ClipObject* object) {
    return new ClipObject(*object);
}

ULNA_EXPORT(ClipObject*, clipKeyed)(const ClipObject* object) {
    if (const auto* motion = std::get_if<Motion>(&object->clip))
        return answer(*object, std::variant<Motion, KeyedMotion>(makeKeyed(*motion)));
    return new ClipObject(*object);
}

ULNA_EXPORT(ClipObject*, clipSampled)(const ClipObject* object, double fps) {
    return answer(*object, motionOf(*object, fps));
}

ULNA_EXPORT(ClipObject*, clipTrimmed)(const ClipObject* object, double from, double to) {
    const Result<Motion> frames = motionOf(*object, 0.0);
    return answer(*object, frames ? trimmed(*frames, from, to) : frames);
}

ULNA_EXPORT(ClipObject*, clipReduced)
(const ClipObject* object, double tolerance, bool catmull_rom) {
    const Result<Motion> frames = motionOf(*object, 0.0);
    if (!frames) {
        fail(frames.error());
        return nullptr;
    }
    ReduceOptions options;
    options.tolerance = tolerance;
    options.interpolation = catmull_rom ? Interpolation::CatmullRom : Interpolation::Linear;
    Result<ReducedMotion> reduced = reduceKeys(*object->skeleton, *frames, options);
    if (!reduced) {
        fail(reduced.error());
        return nullptr;
    }
    clearReply();
    put(static_cast<double>(reduced->report.keys));
    put(reduced->report.ratio());
    put(reduced->report.worst_error);
    put(static_cast<double>(reduced->report.worst_joint));
    put(reduced->report.worst_time);
    ClipObject* out =
        answer(*object, std::variant<Motion, KeyedMotion>(std::move(reduced->motion)));
    out->interpolation = options.interpolation;
    return out;
}

}  // namespace ulna::engine
