// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/source_motion.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

// A speed that is this many times as large as those of the frames beside it is a jump.
constexpr double kJumpRatio = 3.0;

// The joints whose speed counts: fingers and what hangs from a body are noisy.
std::vector<JointId> mainJoints(const BodySegments& body, const Motion& motion) {
    std::vector<JointId> out;
    for (const JointId j : motion.tracks().rotated) {
        const int i = body.of[index(j)];
        if (i >= 0 && !body.segments[static_cast<std::size_t>(i)].relative) out.push_back(j);
    }
    return out;
}

// Orientations and positions of all joints, without the shear of scales.
void placeJoints(const Skeleton& skeleton, const Pose& pose, std::vector<Quat>& orientations,
                 ModelPose& model) {
    computeModelPose(skeleton, pose, model);
    orientations.resize(skeleton.jointCount());
    const std::span<const JointId> parents = skeleton.parents();
    for (std::size_t i = 0; i < orientations.size(); ++i) {
        const Quat& own = pose.parent_from_joint[i].rotation;
        orientations[i] = parents[i] == JointId::None ? own : orientations[index(parents[i])] * own;
    }
}

}  // namespace

Fastest fastestWithoutJumps(std::span<const double> speeds) {
    Fastest out;
    for (std::size_t f = 1; f < speeds.size(); ++f) {
        const double before = f > 1 ? speeds[f - 1] : 0.0;
        const double after = f + 1 < speeds.size() ? speeds[f + 1] : 0.0;
        // Of two frames nothing tells what a jump is.
        const bool alone = speeds.size() < 3;
        const double speed =
            alone ? speeds[f] : std::min(speeds[f], kJumpRatio * std::max(before, after));
        if (speed > out.speed) out = {speed, f};
    }
    return out;
}

SourceMotion readSource(const Skeleton& skeleton, const BodySegments& body, const Motion& motion) {
    SourceMotion out;
    out.frames = motion.frameCount();
    out.width = body.segments.size();
    out.d.resize(out.frames * out.width);
    out.centre.resize(out.frames);
    out.speeds.assign(out.frames, 0.0);
    const bool legs = body.hasLeg(0) && body.hasLeg(1), arms = body.hasArm(0) && body.hasArm(1);
    for (std::size_t side = 0; side < 2; ++side) {
        for (auto* each : {&out.soles[side].heel, &out.soles[side].ball})
            each->resize(legs ? out.frames : 0);
        for (auto* each : {&out.shoulders[side], &out.wrists[side]})
            each->resize(arms ? out.frames : 0);
    }
    const Quat ground_from_model = conjugate(body.model_from_ground);
    Pose pose = motion.base(), before;
    ModelPose model;
    std::vector<Quat> orientations;
    const std::vector<JointId> joints = mainJoints(body, motion);
    const auto place = [&](JointId j) { return rotate(ground_from_model, model.position(j)); };
    for (std::size_t f = 0; f < out.frames; ++f) {
        motion.getPose(f, pose);
        placeJoints(skeleton, pose, orientations, model);
        const std::span<Quat> d = std::span(out.d).subspan(f * out.width, out.width);
        computeSegmentRotations(body, orientations, d);
        out.centre[f] = place(body.segments.front().first) + rotate(d[0], body.centre);
        for (std::size_t side = 0; side < 2; ++side) {
            const auto joint = [&](Part part) -> const Segment& {
                return body.segments[static_cast<std::size_t>(body.part(part, side))];
            };
            if (legs) {
                const auto foot = static_cast<std::size_t>(body.part(Part::Foot, side));
                const Vec3 ankle =
                    place(body.segments[foot].frame) + rotate(d[foot], body.feet[side].ankle);
                out.soles[side].heel[f] = heelOf(body.feet[side], ankle, d[foot]);
                out.soles[side].ball[f] = ballOf(body.feet[side], ankle, d[foot]);
                out.soles[side].ball[f].y -= body.feet[side].lift;
            }
            if (arms) {
                out.shoulders[side][f] = place(joint(Part::UpperArm).first);
                out.wrists[side][f] = place(joint(Part::Hand).first);
            }
        }
        if (f > 0) {
            for (const JointId j : joints)
                out.speeds[f] =
                    std::max(out.speeds[f], angleBetween(before[j].rotation, pose[j].rotation) /
                                                motion.frameTime());
        }
        before = pose;
    }
    out.fastest = fastestWithoutJumps(out.speeds).speed;
    return out;
}

}  // namespace ulna::retarget::detail
