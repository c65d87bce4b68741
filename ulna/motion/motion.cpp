// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ulna {

Motion::Motion(Pose base, std::size_t frame_count, double frame_time,
               std::vector<JointId> translated, std::vector<JointId> scaled)
    : base_(std::move(base)),
      frame_count_(frame_count),
      frame_time_(frame_time),
      translated_(std::move(translated)),
      scaled_(std::move(scaled)),
      rotations_(frame_count * base_.parent_from_joint.size()),
      translations_(frame_count * translated_.size()),
      scales_(frame_count * scaled_.size()) {
    ULNA_ASSERT(frame_time > 0.0, "frames need a time between them");
    for (std::size_t frame = 0; frame < frame_count; ++frame) setPose(frame, base_);
}

Pose Motion::pose(std::size_t frame) const {
    Pose out = base_;
    getPose(frame, out);
    return out;
}

void Motion::getPose(std::size_t frame, Pose& pose) const {
    ULNA_ASSERT(frame < frame_count_, "the motion has no such frame");
    pose.parent_from_joint = base_.parent_from_joint;
    const std::size_t joints = jointCount();
    for (std::size_t i = 0; i < joints; ++i) {
        pose.parent_from_joint[i].rotation = rotations_[frame * joints + i];
    }
    for (std::size_t i = 0; i < translated_.size(); ++i) {
        pose[translated_[i]].translation = translations_[frame * translated_.size() + i];
    }
    for (std::size_t i = 0; i < scaled_.size(); ++i) {
        pose[scaled_[i]].scale = scales_[frame * scaled_.size() + i];
    }
}

void Motion::setPose(std::size_t frame, const Pose& pose) {
    ULNA_ASSERT(frame < frame_count_, "the motion has no such frame");
    ULNA_ASSERT(pose.parent_from_joint.size() == jointCount(),
                "the pose needs one transform per joint");
    const std::size_t joints = jointCount();
    for (std::size_t i = 0; i < joints; ++i) {
        rotations_[frame * joints + i] = pose.parent_from_joint[i].rotation;
    }
    for (std::size_t i = 0; i < translated_.size(); ++i) {
        translations_[frame * translated_.size() + i] = pose[translated_[i]].translation;
    }
    for (std::size_t i = 0; i < scaled_.size(); ++i) {
        scales_[frame * scaled_.size() + i] = pose[scaled_[i]].scale;
    }
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

Motion resampled(const Motion& motion, double frame_time) {
    if (motion.frameCount() == 0) {
        return Motion(Pose{}, 0, frame_time, motion.translated(), motion.scaled());
    }
    // A last frame within a millionth of a step of the end belongs to the clip.
    const double steps = std::floor(motion.duration() / frame_time + 1e-6);
    Motion out(motion.pose(0), static_cast<std::size_t>(steps) + 1, frame_time, motion.translated(),
               motion.scaled());
    out.name = motion.name;
    for (std::size_t frame = 0; frame < out.frameCount(); ++frame) {
        out.setPose(frame, samplePose(motion, out.timeOf(frame)));
    }
    return out;
}

}  // namespace ulna
