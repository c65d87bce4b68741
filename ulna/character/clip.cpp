// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/edit_keys.h"
#include "ulna/motion/reduce.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// Whether people notice that the end of a clip is cut. A thousandth of a frame is the rounding of
// times in files.
bool isNoticed(double cut, double frame_rate) {
    return cut * frame_rate > 1e-3;
}

// The time of the last frame that makeSampled makes of keys that end at a time.
double lastFrame(double end, double frame_rate) {
    constexpr double kSlack = 1e-4;  // of a frame, as makeSampled has it
    return std::floor(end * frame_rate + kSlack) / frame_rate;
}

}  // namespace

const std::string& nameOf(const Clip& clip) {
    const auto* motion = std::get_if<Motion>(&clip);
    return motion != nullptr ? motion->name : std::get_if<KeyedMotion>(&clip)->name;
}

double durationOf(const Clip& clip) {
    const auto* motion = std::get_if<Motion>(&clip);
    if (motion != nullptr) return motion->duration();
    return std::max(0.0, std::get_if<KeyedMotion>(&clip)->endTime());
}

Pose samplePose(const Clip& clip, double time) {
    const auto* motion = std::get_if<Motion>(&clip);
    return motion != nullptr ? samplePose(*motion, time)
                             : samplePose(*std::get_if<KeyedMotion>(&clip), time);
}

void samplePose(const Clip& clip, double time, Pose& pose) {
    if (const auto* keys = std::get_if<KeyedMotion>(&clip))
        samplePose(*keys, time, pose);
    else
        pose = samplePose(*std::get_if<Motion>(&clip), time);
}

double frameRateOf(const Clip& clip) {
    if (const auto* motion = std::get_if<Motion>(&clip)) return 1.0 / motion->frameTime();
    const double rate = guessFrameRate(*std::get_if<KeyedMotion>(&clip));
    return rate > 0.0 ? rate : kUsualFrameRate;
}

Warnings frameRateWarnings(const KeyedMotion& keys, const std::string& path) {
    Warnings out;
    const Location location{.file = path};
    if (keys.startTime() < 0.0)
        out.push_back({.what = "the clip has keys before time 0; frames begin at 0",
                       .location = location,
                       .text = keys.name});
    if (guessFrameRate(keys) <= 0.0 && keys.keyCount() > 0 && keys.endTime() > 0.0) {
        const double cut = keys.endTime() - lastFrame(keys.endTime(), kUsualFrameRate);
        out.push_back(
            {.what = fmt::format(
                 "keys lie between the frames of any common rate; frames are counted at {} a "
                 "second{}",
                 kUsualFrameRate,
                 isNoticed(cut, kUsualFrameRate)
                     ? fmt::format(", and the last is {} s before the last key",
                                   shortNumber(cut, 3))
                     : std::string()),
             .location = location,
             .text = keys.name,
             .advice = "--fps or --times say otherwise"});
    }
    return out;
}

Result<Motion> makeFrames(const Clip& clip, double frame_rate) {
    if (const auto* keys = std::get_if<KeyedMotion>(&clip))
        return makeSampled(*keys, 1.0 / (frame_rate > 0.0 ? frame_rate : frameRateOf(clip)));
    const Motion& motion = *std::get_if<Motion>(&clip);
    const double frame_time = frame_rate > 0.0 ? 1.0 / frame_rate : motion.frameTime();
    if (frame_time == motion.frameTime()) return motion;
    return resampled(motion, frame_time);
}

Motion framesOf(const Skeleton& skeleton, std::span<const Pose> poses, double frame_time) {
    double size = 0.0;
    for (const Pose& pose : poses)
        for (const Trs& at : pose.parent_from_joint) size = std::max(size, length(at.translation));
    return makeMotion(skeleton, poses, frame_time, kNoticeable * size);
}

double usualReduceTolerance(const Skeleton& skeleton, UpAxis up) {
    return bodyHeight(skeleton, up) / 1000.0;
}

bool isDense(const Clip& clip) {
    constexpr double kMostKeysPerSecond = 8.0;
    const double duration = durationOf(clip);
    if (!(duration > 0.0)) return false;
    const auto* keyed = std::get_if<KeyedMotion>(&clip);
    if (keyed == nullptr)
        return static_cast<double>(std::get_if<Motion>(&clip)->frameCount()) >
               kMostKeysPerSecond * duration;
    std::size_t tracks = 0, keys = 0;
    for (JointTracks each : keyed->joints)
        forEachTrack(each, [&](const auto& track) {
            if (track.keys().size() < 2) return;
            ++tracks;
            keys += track.keys().size();
        });
    return static_cast<double>(keys) > kMostKeysPerSecond * duration * static_cast<double>(tracks);
}

KeyedMotion editableClip(const Skeleton& skeleton, const Clip& clip, UpAxis up) {
    const auto* keys = std::get_if<KeyedMotion>(&clip);
    if (keys != nullptr && !isDense(clip)) return *keys;
    const Result<Motion> frames = makeFrames(clip);
    const ReduceOptions options{.tolerance = usualReduceTolerance(skeleton, up),
                                .interpolation = Interpolation::CatmullRom};
    Result<ReducedMotion> few =
        frames ? reduceKeys(skeleton, *frames, options) : Result<ReducedMotion>(frames.error());
    KeyedMotion out = few ? std::move(few->motion)
                          : (keys != nullptr ? *keys : makeKeyed(*std::get_if<Motion>(&clip)));
    out.name = nameOf(clip);
    return out;
}

double wholeFrameRate(double duration, double frame_rate) {
    if (!(duration > 0.0)) return frame_rate;
    return std::max(1.0, std::round(duration * frame_rate)) / duration;
}

Warnings cutWarnings(const Motion& frames, double duration) {
    if (frames.frameCount() == 0) return {};
    return cutWarnings(frames.name, 1.0 / frames.frameTime(), frames.duration(), duration);
}

Warnings cutWarnings(const std::string& name, double frame_rate, double kept, double duration) {
    const double cut = duration - kept;
    if (!isNoticed(cut, frame_rate)) return {};
    Warnings out;
    out.push_back(
        {.what = fmt::format("the last {} s of {} s are cut, because they are "
                             "less than a frame at {} frames a second",
                             shortNumber(cut, 3), shortNumber(duration), shortNumber(frame_rate)),
         .text = name,
         .advice = fmt::format("--fps {} keeps the whole length",
                               shortNumber(wholeFrameRate(duration, frame_rate), 9))});
    return out;
}

Warnings samplingWarnings(const KeyedMotion& keys, double frame_rate) {
    constexpr double kSlack = 1e-6;  // of a frame: the rounding of a quotient of rates
    const double own = guessFrameRate(keys);
    if (isLinear(keys) && own > 0.0 &&
        std::abs(frame_rate / own - std::round(frame_rate / own)) < kSlack)
        return {};
    Warnings out;
    out.push_back({.what = fmt::format("the clip's keys are made {} frames a second first, "
                                       "straight from frame to frame",
                                       shortNumber(frame_rate)),
                   .text = keys.name,
                   .advice = "a higher --fps follows them more closely"});
    return out;
}

}  // namespace ulna
