// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/leg_solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

// Legs stay this short of straight, unless the clip's own leg is straighter.
constexpr double kStraightLeg = 0.9999;
// Rotations that differ by less are the same, in radians.
constexpr double kSame = 1e-12;
// Where limits do not let the leg follow, heel and ball come first, to this share of the leg; the
// ankle counts so much beside them, that the foot does not roll about the line between them; and
// least counts the pose that was.
constexpr double kLegTolerance = 1e-6, kAnkle = 0.1, kPosture = 1e-3;

const Segment& legSegment(const BodySegments& body, Part part, std::size_t side) {
    return body.segments[static_cast<std::size_t>(body.part(part, side))];
}

bool movesFreely(const Skeleton& skeleton, JointId j) {
    const JointKind kind = skeleton.kind(j);
    return kind == JointKind::Fixed || (kind == JointKind::Ball && !skeleton.joint(j).locked);
}

bool hasLimits(const Skeleton& skeleton, JointId j) {
    bool out = skeleton.joint(j).cone.has_value();
    for (std::size_t k = 0; k < skeleton.dofCount(j); ++k)
        out = out || skeleton.dofLimits()[skeleton.firstDof(j) + k].bounded();
    return out;
}

}  // namespace

LegSolver::LegSolver(const Skeleton& skeleton, const BodySegments& body, std::size_t side)
    : skeleton_(&skeleton),
      body_(&body),
      points_(&body.feet[side]),
      thigh_(&legSegment(body, Part::Thigh, side)),
      shin_(&legSegment(body, Part::Shin, side)),
      foot_(&legSegment(body, Part::Foot, side)),
      toes_(body.part(Part::Toes, side) < 0 ? nullptr : &legSegment(body, Part::Toes, side)),
      joints_(skeleton.chain(thigh_->first, foot_->frame)),
      dofs_(skeleton.dofCount(), 0.0) {}

Result<LegSolver> LegSolver::make(const Skeleton& skeleton, const BodySegments& body,
                                  std::size_t side) {
    LegSolver out(skeleton, body, side);
    bool limited = false;
    IkOptions options{.position_tolerance = kLegTolerance * body.leg, .continuity = true};
    std::vector<char> of_leg(skeleton.jointCount(), 0);
    for (const JointId j : out.joints_) {
        out.balls_ = out.balls_ && movesFreely(skeleton, j);
        limited = limited || hasLimits(skeleton, j);
        of_leg[index(j)] = 1;
    }
    if (out.balls_ && !limited) return out;
    for (const JointId j : skeleton.joints())
        if (!of_leg[index(j)]) options.locked.push_back(j);
    const JointId foot = out.foot_->frame;
    const auto at = [&](const Vec3& from_ankle, double weight) {
        const Vec3 point = rotate(out.foot_->joint_from_canonical, out.points_->ankle + from_ankle);
        return IkGoal{.kind = PositionGoal{.joint = foot, .point = point}, .weight = weight};
    };
    Result<IkSolver> solver = IkSolver::make(
        skeleton,
        {at(out.points_->heel, 1.0),
         at(out.points_->ball, 1.0),
         at({}, kAnkle),
         {.kind = PostureGoal{.joints = out.joints_}, .weight = kPosture, .level = 2}},
        options);
    if (!solver) return solver.error();
    out.solver_.emplace(*std::move(solver));
    return out;
}

void LegSolver::solve(const FootGoal& goal, Pose& pose) {
    computeModelPose(*skeleton_, pose, model_);
    orientations_ = computeOrientations(*skeleton_, pose);
    if (balls_) rotateFreely(bend(goal), pose);
    if (solver_ && (!balls_ || !staysInside(pose))) solveInside(goal, pose);
    if (toes_ != nullptr) bendToes(goal, pose);
}

// The axes of a segment in model space: x left, y up, z forward, of a leg that hangs straight.
Quat LegSolver::axesOf(const Segment& segment) const {
    return orientations_[index(segment.frame)] * segment.joint_from_canonical;
}

LegSolver::Wanted LegSolver::bend(const FootGoal& goal) const {
    Wanted out{
        .thigh = orientations_[index(thigh_->frame)],
        .shin = orientations_[index(shin_->frame)],
        .foot = body_->model_from_ground * goal.rotation * conjugate(foot_->joint_from_canonical)};
    const Vec3 hip = model_.position(thigh_->first), knee = model_.position(shin_->first);
    const Vec3 ankle = model_.position(foot_->frame) + rotate(axesOf(*foot_), points_->ankle);
    const Vec3 target = rotate(body_->model_from_ground, goal.ankle);
    const double a = distance(hip, knee), b = distance(knee, ankle);
    if (!(a > 0.0 && b > 0.0) || distance(ankle, target) <= kSame * (a + b)) return out;
    const Vec3 down = normalizedOr(knee - hip, Vec3{0, -1, 0});
    const Vec3 line = normalizedOr(ankle - hip, down);
    const Vec3 new_line = normalizedOr(target - hip, line);
    const double longest = std::max(kStraightLeg * (a + b), distance(hip, ankle));
    const double reach =
        std::clamp(distance(hip, target), std::abs(a - b) + 1e-6 * (a + b), longest);
    const double along = (a * a + reach * reach - b * b) / (2.0 * reach);
    const double across = std::sqrt(std::max(a * a - along * along, 0.0));
    const Quat carried = quatBetween(line, new_line);
    const auto beside = [&](Vec3 v) { return v - new_line * dot(v, new_line); };
    const Vec3 bent = beside(rotate(carried, knee - hip));
    const Vec3 z{0, 0, 1};
    const Vec3 forward = normalizedOr(
        beside(rotate(carried, rotate(axesOf(*thigh_), z) + rotate(axesOf(*shin_), z))),
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
    for (JointId j = skeleton_->parent(segment.first); j != JointId::None; j = skeleton_->parent(j))
        above = pose[j].rotation * above;
    for (JointId j = segment.frame; j != segment.first; j = skeleton_->parent(j))
        frame_from_first = pose[j].rotation * frame_from_first;
    const Quat rotation = normalized(conjugate(above) * orientation * conjugate(frame_from_first));
    if (angleBetween(rotation, pose[segment.first].rotation) > kSame)
        pose[segment.first].rotation = rotation;
}

void LegSolver::rotateFreely(const Wanted& wanted, Pose& pose) const {
    turn(*thigh_, wanted.thigh, pose);
    turn(*shin_, wanted.shin, pose);
    turn(*foot_, wanted.foot, pose);
}

// Whether the joints of the leg can be as they are in a pose.
bool LegSolver::staysInside(const Pose& pose) {
    for (const JointId j : joints_) {
        const std::span<double> own = jointDofs(*skeleton_, j, std::span(dofs_));
        computeJointDofs(*skeleton_, j, pose[j], own);
        turnIntoLimits(*skeleton_, j, own);
        if (clampJointToLimits(*skeleton_, j, dofs_)) return false;
    }
    return true;
}

void LegSolver::solveInside(const FootGoal& goal, Pose& pose) {
    const std::span<IkGoal> goals = solver_->goals();
    const Vec3 from_ankle[] = {points_->heel, points_->ball, {}};
    for (std::size_t i = 0; i < 3; ++i)
        std::get<PositionGoal>(goals[i].kind).target =
            rotate(body_->model_from_ground, goal.ankle + rotate(goal.rotation, from_ankle[i]));
    std::get<PostureGoal>(goals[3].kind).rest = computeDofs(*skeleton_, pose).dofs;
    Pose solved = pose;
    (void)solver_->solve(solved);
    for (const JointId j : joints_) pose[j].rotation = solved[j].rotation;
}

// Toes bend from what the foot really is.
void LegSolver::bendToes(const FootGoal& goal, Pose& pose) const {
    Quat foot;
    for (JointId j = foot_->frame; j != JointId::None; j = skeleton_->parent(j))
        foot = pose[j].rotation * foot;
    const Quat really = foot * foot_->joint_from_canonical;
    const Quat toes = really * conjugate(goal.rotation) * goal.toes;
    turn(*toes_, toes * conjugate(toes_->joint_from_canonical), pose);
}

}  // namespace ulna::retarget::detail
