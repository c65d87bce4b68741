// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ulna {

Motion::Motion(Pose base, std::size_t frame_count, double frame_time, MotionTracks tracks)
    : base_(std::move(base)),
      frame_count_(frame_count),
      frame_time_(frame_time),
      tracks_(std::move(tracks)),
      rotations_(frame_count * tracks_.rotated.size()),
      translations_(frame_count * tracks_.translated.size()),
      scales_(frame_count * tracks_.scaled.size()) {
    ULNA_ASSERT(frame_time > 0.0, "frames need a time between them");
    for (std::size_t frame = 0; frame < frame_count; ++frame) setPose(frame, base_);
}

Pose Motion::pose(std::size_t frame) const {
    Pose out;
    getPose(frame, out);
    return out;
}

void Motion::getPose(std::size_t frame, Pose& pose) const {
    ULNA_ASSERT(frame < frame_count_, "the motion has no such frame");
    pose.parent_from_joint = base_.parent_from_joint;
    const Quat* rotation = rotations_.data() + frame * tracks_.rotated.size();
    for (const JointId j : tracks_.rotated) pose[j].rotation = *rotation++;
    const Vec3* translation = translations_.data() + frame * tracks_.translated.size();
    for (const JointId j : tracks_.translated) pose[j].translation = *translation++;
    const Vec3* scale = scales_.data() + frame * tracks_.scaled.size();
    for (const JointId j : tracks_.scaled) pose[j].scale = *scale++;
}

void Motion::setPose(std::size_t frame, const Pose& pose) {
    ULNA_ASSERT(frame < frame_count_, "the motion has no such frame");
    ULNA_ASSERT(pose.parent_from_joint.size() == jointCount(),
                "the pose needs one transform per joint");
    Quat* rotation = rotations_.data() + frame * tracks_.rotated.size();
    for (const JointId j : tracks_.rotated) *rotation++ = pose[j].rotation;
    Vec3* translation = translations_.data() + frame * tracks_.translated.size();
    for (const JointId j : tracks_.translated) *translation++ = pose[j].translation;
    Vec3* scale = scales_.data() + frame * tracks_.scaled.size();
    for (const JointId j : tracks_.scaled) *scale++ = pose[j].scale;
}

MotionTracks usualTracks(const Skeleton& skeleton) {
    MotionTracks out;
    for (const JointId j : skeleton.joints()) {
        const JointKind kind = skeleton.kind(j);
        if (kind != JointKind::Fixed && kind != JointKind::Prismatic) out.rotated.push_back(j);
        if (skeleton.translates(j)) out.translated.push_back(j);
    }
    return out;
}

Motion makeMotion(const Skeleton& skeleton, std::span<const Pose> poses, double frame_time,
                  double noticed) {
    ULNA_ASSERT(!poses.empty(), "a clip needs a pose");
    constexpr double kLeastAngle = 1e-6;  // radians: well above rounding, well below sight
    MotionTracks tracks;
    for (const JointId j : skeleton.joints()) {
        const Trs& rest = skeleton.rest(j);
        const auto moves = [&](const auto& differs) {
            return std::any_of(poses.begin(), poses.end(),
                               [&](const Pose& pose) { return differs(pose[j]); });
        };
        if (skeleton.kind(j) != JointKind::Fixed || moves([&](const Trs& at) {
                return angleBetween(at.rotation, rest.rotation) > kLeastAngle;
            }))
            tracks.rotated.push_back(j);
        if (skeleton.parent(j) == JointId::None || moves([&](const Trs& at) {
                return distance(at.translation, rest.translation) > noticed;
            }))
            tracks.translated.push_back(j);
    }
    Motion out(poses.front(), poses.size(), frame_time, tracks);
    for (std::size_t f = 0; f < poses.size(); ++f) out.setPose(f, poses[f]);
    return out;
}

MotionTracks united(MotionTracks a, const MotionTracks& b) {
    const auto unite = [](std::vector<JointId>& to, const std::vector<JointId>& from) {
        to.insert(to.end(), from.begin(), from.end());
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
    };
    unite(a.rotated, b.rotated);
    unite(a.translated, b.translated);
    unite(a.scaled, b.scaled);
    return a;
}

Pose samplePose(const Motion& motion, double time) {
    ULNA_ASSERT(motion.frameCount() > 0, "an empty motion has no pose");
    const double last = static_cast<double>(motion.frameCount() - 1);
    // Written so that a time that is not a number gives the first frame.
    const double at = time > 0.0 ? std::min(time / motion.frameTime(), last) : 0.0;
    const double whole = std::floor(at);
    const double t = at - whole;
    const auto frame = static_cast<std::size_t>(whole);
    Pose out = motion.pose(frame);
    if (t == 0.0) return out;
    const Pose next = motion.pose(frame + 1);
    for (std::size_t i = 0; i < out.parent_from_joint.size(); ++i) {
        Trs& a = out.parent_from_joint[i];
        const Trs& b = next.parent_from_joint[i];
        a.rotation = slerp(a.rotation, b.rotation, t);
        a.translation = lerp(a.translation, b.translation, t);
        a.scale = lerp(a.scale, b.scale, t);
    }
    return out;
}

}  // namespace ulna
