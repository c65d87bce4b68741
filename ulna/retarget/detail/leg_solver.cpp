// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/leg_solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

// Legs stay this short of straight, unless the clip's own leg is straighter.
constexpr double kStraight = 0.9999;
// Rotations that differ by less are the same, in radians.
constexpr double kSame = 1e-12;
// Weights where limits do not let the leg follow: directions of thigh and shin count 1. The ankle's
// position is exact to about a ten-thousandth of the leg.
constexpr double kTwist = 0.02, kFoot = 30.0, kAnkle = 1e5;
constexpr double kNoBound = 1e6;

const Segment& segmentOf(const BodySegments& body, Part part, std::size_t side) {
    return body.segments[static_cast<std::size_t>(body.part(part, side))];
}

}  // namespace

LegSolver::LegSolver(const Skeleton& skeleton, const BodySegments& body, std::size_t side)
    : skeleton_(skeleton),
      body_(body),
      thigh_(segmentOf(body, Part::Thigh, side)),
      shin_(segmentOf(body, Part::Shin, side)),
      foot_(segmentOf(body, Part::Foot, side)),
      toes_(body.part(Part::Toes, side) < 0 ? nullptr : &segmentOf(body, Part::Toes, side)),
      chain_(skeleton, thigh_.first, foot_.frame),
      dofs_(skeleton.dofCount(), 0.0) {}

void LegSolver::solve(const FootGoal& goal, Pose& pose) {
    computeModelPose(skeleton_, pose, model_);
    orientations_ = computeOrientations(skeleton_, pose);
    const Wanted wanted = bend(goal);
    if (chain_.free()) {
        rotateFreely(wanted, pose);
    } else {
        Pose free = pose;
        rotateFreely(wanted, free);
        if (staysInside(free))
            pose = std::move(free);
        else
            solveInside(wanted, goal, pose);
    }
    if (toes_ != nullptr) bendToes(goal, pose);
}

// The axes of a segment in model space: x left, y up, z forward, of a leg that hangs straight.
Quat LegSolver::axesOf(const Segment& segment) const {
    return orientations_[index(segment.frame)] * segment.canonical_from_joint;
}

LegSolver::Wanted LegSolver::bend(const FootGoal& goal) const {
    Wanted out{
        .thigh = orientations_[index(thigh_.frame)],
        .shin = orientations_[index(shin_.frame)],
        .foot = body_.model_from_ground * goal.rotation * conjugate(foot_.canonical_from_joint)};
    const Vec3 hip = model_.position(thigh_.first), knee = model_.position(shin_.first);
    const Vec3 ankle = model_.position(foot_.frame);
    const Vec3 target = rotate(body_.model_from_ground, goal.ankle);
    const double a = distance(hip, knee), b = distance(knee, ankle);
    if (!(a > 0.0 && b > 0.0) || distance(ankle, target) <= kSame * (a + b)) return out;
    const Vec3 down = normalizedOr(knee - hip, Vec3{0, -1, 0});
    const Vec3 line = normalizedOr(ankle - hip, down);
    const Vec3 new_line = normalizedOr(target - hip, line);
    const double longest = std::max(kStraight * (a + b), distance(hip, ankle));
    const double reach =
        std::clamp(distance(hip, target), std::abs(a - b) + 1e-6 * (a + b), longest);
    const double along = (a * a + reach * reach - b * b) / (2.0 * reach);
    const double across = std::sqrt(std::max(a * a - along * along, 0.0));
    const Quat carried = quatBetween(line, new_line);
    const auto beside = [&](Vec3 v) { return v - new_line * dot(v, new_line); };
    const Vec3 bent = beside(rotate(carried, knee - hip));
    const Vec3 z{0, 0, 1};
    const Vec3 forward =
        normalizedOr(beside(rotate(carried, rotate(axesOf(thigh_), z) + rotate(axesOf(shin_), z))),
                     anyPerpendicular(new_line));
    const Vec3 side = normalizedOr(bent + forward * std::max(across - length(bent), 0.0), forward);
    const Vec3 new_knee = new_line * along + side * across;
    const Quat thigh_by = quatBetween(down, normalizedOr(new_knee, down));
    const Vec3 shin = rotate(thigh_by, (ankle - knee) / b);
    const Quat shin_by =
        quatBetween(shin, normalizedOr(new_line * reach - new_knee, shin)) * thigh_by;
    out.thigh = thigh_by * out.thigh;
    out.shin = shin_by * out.shin;
    return out;
}

// Rotates the first joint of a segment so that its frame has an orientation; the joints between
// stay as they are.
void LegSolver::turn(const Segment& segment, const Quat& orientation, Pose& pose) const {
    Quat above, frame_from_first;
    for (JointId j = skeleton_.parent(segment.first); j != JointId::None; j = skeleton_.parent(j))
        above = pose[j].rotation * above;
    for (JointId j = segment.frame; j != segment.first; j = skeleton_.parent(j))
        frame_from_first = pose[j].rotation * frame_from_first;
    const Quat rotation = normalized(conjugate(above) * orientation * conjugate(frame_from_first));
    if (angleBetween(rotation, pose[segment.first].rotation) > kSame)
        pose[segment.first].rotation = rotation;
}

void LegSolver::rotateFreely(const Wanted& wanted, Pose& pose) const {
    turn(thigh_, wanted.thigh, pose);
    turn(shin_, wanted.shin, pose);
    turn(foot_, wanted.foot, pose);
}

// Whether the joints of the leg can be as they are in a pose.
bool LegSolver::staysInside(Pose& pose) {
    for (const JointId j : chain_.joints()) {
        const JointKind kind = skeleton_.kind(j);
        if (kind != JointKind::Ball && kind != JointKind::Fixed) return false;
        const std::span<double> dofs = jointDofs(skeleton_, j, std::span(dofs_));
        computeJointDofs(skeleton_, j, pose[j], dofs);
        turnIntoLimits(skeleton_, j, dofs);
        if (clampJointToLimits(skeleton_, j, dofs)) return false;
    }
    return true;
}

void LegSolver::solveInside(const Wanted& wanted, const FootGoal& goal, Pose& pose) {
    for (const JointId j : chain_.joints())
        computeJointDofs(skeleton_, j, pose[j], jointDofs(skeleton_, j, std::span(dofs_)));
    std::vector<SegmentTarget> targets;
    const auto add = [&](const Segment& segment, const Quat& orientation, const Vec3& axis,
                         double weight, double twist) {
        targets.push_back({.joint = segment.frame,
                           .orientation = orientation,
                           .axis = rotate(segment.canonical_from_joint, axis),
                           .axis_weight = weight,
                           .twist_weight = twist});
    };
    add(thigh_, wanted.thigh, thigh_.direction, 1.0, kTwist);
    add(shin_, wanted.shin, shin_.direction, 1.0, kTwist);
    add(foot_, wanted.foot, Vec3{0, 0, 1}, kFoot, kFoot);
    const PointTarget ankle{.joint = foot_.frame,
                            .target = rotate(body_.model_from_ground, goal.ankle),
                            .weight = kAnkle,
                            .unit = body_.leg};
    const JointId above = skeleton_.parent(thigh_.first);
    (void)chain_.solve(above == JointId::None ? Affine{} : model_[above], targets, ankle, kNoBound,
                       dofs_);
    for (const JointId j : chain_.joints()) {
        const Trs t =
            computeJointTransform(skeleton_, j, jointDofs(skeleton_, j, std::span(dofs_)));
        pose[j].rotation = t.rotation;
        if (slides(skeleton_.kind(j))) pose[j].translation = t.translation;
    }
}

// Toes bend from what the foot really is.
void LegSolver::bendToes(const FootGoal& goal, Pose& pose) const {
    Quat foot;
    for (JointId j = foot_.frame; j != JointId::None; j = skeleton_.parent(j))
        foot = pose[j].rotation * foot;
    const Quat really = foot * foot_.canonical_from_joint;
    const Quat toes = really * conjugate(goal.rotation) * goal.toes;
    turn(*toes_, toes * conjugate(toes_->canonical_from_joint), pose);
}

}  // namespace ulna::retarget::detail
