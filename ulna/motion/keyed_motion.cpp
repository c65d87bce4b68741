// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/keyed_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/changed.h"

namespace ulna {
namespace {

// Calls `visit` with every track that has keys, whatever its values.
template <class Visit>
void forEachTrack(const JointTracks& tracks, Visit visit) {
    if (!tracks.translation.empty()) visit(tracks.translation);
    if (const auto* whole = std::get_if<Track<Quat>>(&tracks.rotation)) {
        if (!whole->empty()) visit(*whole);
    } else {
        for (const auto& rotation : std::get<AngleTracks>(tracks.rotation).rotations)
            if (!rotation.angle.empty()) visit(rotation.angle);
    }
    if (!tracks.scale.empty()) visit(tracks.scale);
}
template <class Visit>
void forEachTrack(const KeyedMotion& motion, Visit visit) {
    for (const JointTracks& tracks : motion.joints) forEachTrack(tracks, visit);
}

bool rotates(const JointTracks& tracks) {
    bool out = false;
    if (const auto* angles = std::get_if<AngleTracks>(&tracks.rotation)) {
        for (const auto& rotation : angles->rotations) out = out || !rotation.angle.empty();
        return out;
    }
    return !std::get<Track<Quat>>(tracks.rotation).empty();
}

// How far a key may be from a frame, in frames, and still be it.
constexpr double kSlack = 1e-4;

// Whether every time is that of a frame. Times may have been rounded to float.
bool areFrames(std::span<const double> times, double rate) {
    constexpr double kFloat = 1.2e-7;
    return std::all_of(times.begin(), times.end(), [&](double time) {
        const double off = std::abs(time - std::round(time * rate) / rate);
        return off <= kSlack / rate + kFloat * std::abs(time);
    });
}

}  // namespace

Quat sample(const AngleTracks& tracks, double time) {
    Quat out = tracks.rest;
    for (const auto& rotation : tracks.rotations)
        out = out * quatFromAxisAngle(rotation.axis, sample(rotation.angle, time));
    return out;
}

Vec3 sampleRate(const AngleTracks& tracks, double time) {
    Vec3 out;
    for (const auto& rotation : tracks.rotations) {
        const Quat back = quatFromAxisAngle(rotation.axis, -sample(rotation.angle, time));
        out = rotate(back, out) + rotation.axis * sampleRate(rotation.angle, time);
    }
    return out;
}

AngleTracks makeAngleTracks(const Skeleton& skeleton, JointId joint) {
    const JointDef& def = skeleton.joint(joint);
    AngleTracks out;
    out.rest = def.rest.rotation;
    const auto add = [&](const Vec3& axis) { out.rotations.push_back({axis, {}}); };
    switch (def.kind) {
        case JointKind::Fixed:
        case JointKind::Prismatic:
            break;
        case JointKind::Hinge:
            add(def.axes[0]);
            break;
        case JointKind::Universal:
            add(def.axes[0]);
            add(def.axes[1]);
            break;
        case JointKind::Ball:
        case JointKind::Free:
            if (skeleton.planar()) {
                add({0, 0, 1});
            } else if (def.coordinates == BallCoordinates::Euler) {
                for (const int axis : eulerAxes(def.order)) add(unitAxis<double>(axis));
            }
            break;
    }
    return out;
}

double KeyedMotion::startTime() const {
    double out = std::numeric_limits<double>::infinity();
    forEachTrack(*this, [&](const auto& track) { out = std::min(out, track.startTime()); });
    return std::isfinite(out) ? out : 0.0;
}

double KeyedMotion::endTime() const {
    double out = -std::numeric_limits<double>::infinity();
    forEachTrack(*this, [&](const auto& track) { out = std::max(out, track.endTime()); });
    return std::isfinite(out) ? out : 0.0;
}

std::size_t KeyedMotion::keyCount() const {
    std::size_t out = 0;
    forEachTrack(*this, [&](const auto& track) { out += track.keys().size(); });
    return out;
}

const JointTracks* KeyedMotion::find(JointId joint) const {
    for (const JointTracks& tracks : joints)
        if (tracks.joint == joint) return &tracks;
    return nullptr;
}

JointTracks& KeyedMotion::at(JointId joint) {
    for (JointTracks& tracks : joints)
        if (tracks.joint == joint) return tracks;
    joints.push_back({.joint = joint});
    return joints.back();
}

Pose samplePose(const KeyedMotion& motion, double time) {
    Pose out;
    samplePose(motion, time, out);
    return out;
}

void samplePose(const KeyedMotion& motion, double time, Pose& pose) {
    pose.parent_from_joint = motion.base.parent_from_joint;
    for (const JointTracks& tracks : motion.joints) {
        Trs& at = pose[tracks.joint];
        at.translation = sample(tracks.translation, time, at.translation);
        at.scale = sample(tracks.scale, time, at.scale);
        if (const auto* whole = std::get_if<Track<Quat>>(&tracks.rotation))
            at.rotation = sample(*whole, time, at.rotation);
        else if (rotates(tracks))
            at.rotation = sample(std::get<AngleTracks>(tracks.rotation), time);
    }
}

bool isLinear(const KeyedMotion& motion) {
    bool out = true;
    for (const JointTracks& tracks : motion.joints) {
        // Angles one by one are straight in themselves, not as the rotation they make.
        const auto* angles = std::get_if<AngleTracks>(&tracks.rotation);
        out = out && (angles == nullptr || angles->rotations.size() < 2 || !rotates(tracks));
    }
    forEachTrack(motion, [&](const auto& track) {
        out = out && (track.keys().size() < 2 || track.interpolation == Interpolation::Linear);
    });
    return out;
}

std::vector<double> keyTimes(const KeyedMotion& motion) {
    std::vector<double> out;
    forEachTrack(motion, [&](const auto& track) {
        const std::size_t before = out.size();
        for (const auto& key : track.keys()) out.push_back(key.time);
        std::inplace_merge(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(before),
                           out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    });
    return out;
}

double guessFrameRate(const KeyedMotion& motion) {
    const std::vector<double> times = keyTimes(motion);
    if (times.size() < 2) return 0.0;
    const double own = static_cast<double>(times.size() - 1) / (times.back() - times.front());
    // Times in files are rounded; a whole rate is meant where one fits.
    const double whole = std::round(own);
    const bool is_whole = std::abs(own - whole) < 1e-4 * own && areFrames(times, whole);
    const bool steady = own <= 1000.0 && (is_whole || areFrames(times, own));
    if (steady && times.size() > 2 && own >= 1.0 && isLinear(motion)) return is_whole ? whole : own;
    constexpr double kCommon[] = {24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 144, 200, 240, 250};
    for (const double rate : kCommon)
        if (areFrames(times, rate)) return rate;
    if (steady && own >= 10.0) return own;
    return areFrames(times, 1000.0) ? 1000.0 : 0.0;
}

Result<Motion> makeSampled(const KeyedMotion& motion, double frame_time) {
    ULNA_ASSERT(frame_time > 0.0, "frames need a time between them");
    const double end = std::max(0.0, motion.endTime());
    // A last key that guessFrameRate counts as a frame's is that frame.
    const Result<std::size_t> frames = motion::detail::frameCountFor(end, frame_time, kSlack);
    if (!frames) return frames.error();
    MotionTracks moving;
    for (const JointTracks& tracks : motion.joints) {
        if (rotates(tracks)) moving.rotated.push_back(tracks.joint);
        if (!tracks.translation.empty()) moving.translated.push_back(tracks.joint);
        if (!tracks.scale.empty()) moving.scaled.push_back(tracks.joint);
    }
    Motion like(motion.base, 0, frame_time, {});
    like.name = motion.name;
    return motion::detail::makeMotion(like, motion.keyCount() == 0 ? 0 : *frames, frame_time,
                                      united({}, moving), [&](std::size_t frame, Pose& pose) {
                                          samplePose(motion,
                                                     static_cast<double>(frame) * frame_time, pose);
                                      });
}

KeyedMotion makeKeyed(const Motion& motion) {
    KeyedMotion out;
    out.name = motion.name;
    out.base = motion.base();
    const MotionTracks& tracks = motion.tracks();
    const std::size_t count = motion.frameCount();
    std::vector<std::vector<Key<Quat>>> rotations(tracks.rotated.size());
    std::vector<std::vector<Key<Vec3>>> translations(tracks.translated.size());
    std::vector<std::vector<Key<Vec3>>> scales(tracks.scaled.size());
    Pose pose;
    for (std::size_t frame = 0; frame < count; ++frame) {
        motion.getPose(frame, pose);
        const double time = motion.timeOf(frame);
        for (std::size_t i = 0; i < rotations.size(); ++i)
            rotations[i].push_back({time, pose[tracks.rotated[i]].rotation});
        for (std::size_t i = 0; i < translations.size(); ++i)
            translations[i].push_back({time, pose[tracks.translated[i]].translation});
        for (std::size_t i = 0; i < scales.size(); ++i)
            scales[i].push_back({time, pose[tracks.scaled[i]].scale});
    }
    std::vector<std::size_t> entry(motion.jointCount(), 0);
    const auto tracksOf = [&](JointId j) -> JointTracks& {
        if (entry[index(j)] == 0) {
            out.joints.push_back({.joint = j});
            entry[index(j)] = out.joints.size();
        }
        return out.joints[entry[index(j)] - 1];
    };
    constexpr Interpolation kLinear = Interpolation::Linear;
    for (std::size_t i = 0; i < rotations.size(); ++i)
        tracksOf(tracks.rotated[i]).rotation = Track<Quat>(std::move(rotations[i]), kLinear);
    for (std::size_t i = 0; i < translations.size(); ++i)
        tracksOf(tracks.translated[i]).translation =
            Track<Vec3>(std::move(translations[i]), kLinear);
    for (std::size_t i = 0; i < scales.size(); ++i)
        tracksOf(tracks.scaled[i]).scale = Track<Vec3>(std::move(scales[i]), kLinear);
    return out;
}

}  // namespace ulna
