// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/layered_clip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

constexpr double kSlack = 1e-4;  // of a frame: rounding of times
// So close to a frame a time is that frame's: rounding must not ask for one that is not made yet.
constexpr double kOnFrame = 1e-9;

std::size_t frameCountOf(const Clip& clip, double frame_time) {
    if (const auto* motion = std::get_if<Motion>(&clip)) return motion->frameCount();
    return static_cast<std::size_t>(durationOf(clip) / frame_time + kSlack) + 1;
}

}  // namespace

LayeredClip LayeredClip::make(std::shared_ptr<const Skeleton> skeleton, Clip base,
                              std::vector<PinnedLayer> layers, double frame_rate) {
    const bool frames = std::holds_alternative<Motion>(base);
    const double rate = frame_rate > 0.0 && !frames ? frame_rate : frameRateOf(base);
    LayeredClip out(std::move(skeleton), std::move(base), std::move(layers), 1.0 / rate);
    out.measureOffsets();
    out.findChangedFrames();
    return out;
}

LayeredClip::LayeredClip(std::shared_ptr<const Skeleton> skeleton, Clip base,
                         std::vector<PinnedLayer> layers, double frame_time)
    : skeleton_(std::move(skeleton)),
      base_(std::move(base)),
      layers_(std::move(layers)),
      frame_time_(frame_time),
      frames_(frameCountOf(base_, frame_time)) {}

void LayeredClip::rename(const std::string& name) {
    std::visit([&](auto& clip) { clip.name = name; }, base_);
}

// By the keys as they are for weight 1: with half the weight a joint is half as far away, and one
// that is on its path stays there.
void LayeredClip::measureOffsets() {
    offsets_.resize(layers_.size());
    Pose pose;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const auto& [layer, pins] = layers_[l];
        if (!isHeard(layer) || pins.empty()) continue;
        Layer plain = layer;
        plain.weight = 1.0;
        for (const LayerKey& key : layer.keys) {
            sampleBelow(l, key.time, pose);
            const ModelPose before = computeModelPose(*skeleton_, pose);
            const std::vector<Quat> oriented = computeOrientations(*skeleton_, pose);
            addLayer(plain, key.time, pose);
            const ModelPose after = computeModelPose(*skeleton_, pose);
            const std::vector<Quat> turned = computeOrientations(*skeleton_, pose);
            for (const LayerPin& pin : pins) {
                const std::size_t j = index(pin.joint);
                offsets_[l].push_back({after.position(pin.joint) - before.position(pin.joint),
                                       quatLog(normalized(turned[j] * conjugate(oriented[j])))});
            }
        }
    }
}

void LayeredClip::findChangedFrames() {
    double start = durationOf(base_), end = 0.0;
    bool any = false;
    for (const PinnedLayer& each : layers_) {
        if (!isHeard(each.layer)) continue;
        any = true;
        start = std::min(start, startOf(each.layer));
        end = std::max(end, endOf(each.layer));
    }
    if (!any || frames_ == 0) return;
    const auto last = static_cast<double>(frames_ - 1);
    const auto frameAt = [&](double frame) {
        return static_cast<std::size_t>(std::clamp(frame, 0.0, last));
    };
    first_ = frameAt(std::floor(start / frame_time_ + kSlack));
    const std::size_t behind = frameAt(std::ceil(end / frame_time_ - kSlack));
    const std::size_t count = behind >= first_ ? behind - first_ + 1 : 0;
    changed_.resize(count);
    made_.resize(count);
    for (std::size_t f = 0; f < count; ++f) {
        const double time = static_cast<double>(first_ + f) * frame_time_;
        for (const PinnedLayer& each : layers_)
            changed_[f] = changed_[f] || (isHeard(each.layer) && time > startOf(each.layer) &&
                                          time < endOf(each.layer));
    }
    left_ = count;
    if (count == 0) return;
    Pose pose;
    samplePose(base_, 0.0, pose);
    part_ = Motion(std::move(pose), count, frame_time_, changedTracks());
}

MotionTracks LayeredClip::changedTracks() const {
    MotionTracks out = usualTracks(*skeleton_);
    if (const auto* motion = std::get_if<Motion>(&base_)) {
        out = united(std::move(out), motion->tracks());
    } else {
        MotionTracks own;
        for (const JointTracks& tracks : std::get<KeyedMotion>(base_).joints) {
            own.rotated.push_back(tracks.joint);
            if (!tracks.translation.empty()) own.translated.push_back(tracks.joint);
            if (!tracks.scale.empty()) own.scaled.push_back(tracks.joint);
        }
        for (auto* joints : {&own.rotated, &own.translated, &own.scaled})
            std::sort(joints->begin(), joints->end());
        out = united(std::move(out), own);
    }
    MotionTracks added;
    for (const JointId j : skeleton_->joints()) {
        bool rotated = false, translated = false;
        for (const PinnedLayer& each : layers_)
            for (const LayerKey& key : each.layer.keys) {
                rotated = rotated || !(key.rotations[index(j)] == Vec3{});
                translated = translated || !(key.translations[index(j)] == Vec3{});
            }
        if (rotated) added.rotated.push_back(j);
        if (translated) added.translated.push_back(j);
    }
    return united(std::move(out), added);
}

void LayeredClip::addTo(std::size_t layer, double time, Pose& pose) const {
    const auto& [what, pins] = layers_[layer];
    if (!isHeard(what) || time < startOf(what) || time > endOf(what)) return;
    if (pins.empty()) return addLayer(what, time, pose);
    const ModelPose model = computeModelPose(*skeleton_, pose);
    const std::vector<Quat> oriented = computeOrientations(*skeleton_, pose);
    const LayerShares at = sharesAt(what, time);
    std::vector<JointHold> held;
    for (std::size_t p = 0; p < pins.size(); ++p) {
        Offset offset;
        for (std::size_t i = 0; i < 4 && at.first + i < what.keys.size(); ++i) {
            const Offset& of_key = offsets_[layer][(at.first + i) * pins.size() + p];
            offset.position += of_key.position * (at.shares[i] * what.weight);
            offset.rotation += of_key.rotation * (at.shares[i] * what.weight);
        }
        const JointId joint = pins[p].joint;
        JointHold& hold = held.emplace_back();
        hold = {joint, model.position(joint) + offset.position, {}};
        if (pins[p].orientation)
            hold.orientation = quatExp(offset.rotation) * oriented[index(joint)];
    }
    addLayer(what, time, pose);
    holdJoints(*skeleton_, held, pose);
}

void LayeredClip::sampleBelow(std::size_t layer, double time, Pose& pose) const {
    ULNA_ASSERT(layer <= layers_.size(), "there is no such layer");
    samplePose(base_, time, pose);
    for (std::size_t l = 0; l < layer; ++l) addTo(l, time, pose);
}

bool LayeredClip::isChanged(std::size_t frame) const {
    return frame >= first_ && frame - first_ < changed_.size() && changed_[frame - first_];
}

void LayeredClip::makeFrame(std::size_t frame) {
    const std::size_t f = frame - first_;
    if (made_[f]) return;
    made_[f] = true;
    --left_;
    Pose pose;
    sampleBelow(layers_.size(), static_cast<double>(frame) * frame_time_, pose);
    part_.setPose(f, pose);
}

void LayeredClip::sample(double time, Pose& pose) {
    const double at = time / frame_time_;
    if (!changed_.empty() && at > static_cast<double>(first_) - kSlack &&
        at < static_cast<double>(first_ + changed_.size() - 1) + kSlack) {
        const double inside = std::clamp(at, static_cast<double>(first_),
                                         static_cast<double>(first_ + changed_.size() - 1));
        const double near = std::round(inside);
        const bool on_frame = std::abs(inside - near) < kOnFrame;
        const auto before = static_cast<std::size_t>(on_frame ? near : inside);
        const std::size_t behind = on_frame ? before : before + 1;
        if (isChanged(before) || isChanged(behind)) {
            makeFrame(before);
            makeFrame(behind);
            if (on_frame) return part_.getPose(before - first_, pose);
            pose = samplePose(part_, time - static_cast<double>(first_) * frame_time_);
            return;
        }
    }
    samplePose(base_, time, pose);
}

std::size_t LayeredClip::compose(std::size_t most) {
    for (; most > 0 && left_ > 0; ++next_) {
        if (made_[next_]) continue;
        makeFrame(first_ + next_);
        --most;
    }
    return left_;
}

Motion LayeredClip::whole() {
    compose(frames_);
    const auto* motion = std::get_if<Motion>(&base_);
    MotionTracks tracks = changedTracks();
    Motion out(motion != nullptr ? motion->base() : std::get<KeyedMotion>(base_).base, frames_,
               frame_time_, std::move(tracks));
    out.name = nameOf(base_);
    Pose pose;
    for (std::size_t f = 0; f < frames_; ++f) {
        if (isChanged(f))
            part_.getPose(f - first_, pose);
        else if (motion != nullptr)
            motion->getPose(f, pose);
        else
            samplePose(base_, static_cast<double>(f) * frame_time_, pose);
        out.setPose(f, pose);
    }
    return out;
}

}  // namespace ulna
