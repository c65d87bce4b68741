// SPDX-License-Identifier: Apache-2.0

// Notation as in natural.cpp: a segment's rotation D is from the T-pose, in the axes of the body.
#include "ulna/ik/natural_suggestion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// A pose that is changed keeps its facing against what a single foot seems to tell.
constexpr double kKeptFacing = 1.0;
// How much of what people do with limbs that nobody asked for is done: the other arm follows a
// little, where it would move by itself.
constexpr double kUnasked = 0.35;
// Limbs that are off their goals by less stay as they are, in leg lengths.
constexpr double kLeastMove = 1e-6;

}  // namespace

NaturalSuggestion::NaturalSuggestion(std::shared_ptr<const NaturalBody> natural,
                                     std::span<const IkGoal> goals, std::span<const JointId> held,
                                     const Pose& pose, NaturalStart start)
    : body_(std::move(natural)), pose_(pose), held_(body_->skeleton_.jointCount(), 0) {
    const NaturalBody& body = *body_;
    const Skeleton& skeleton = body.skeleton_;
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    for (const JointId j : held) held_[index(j)] = 1;
    for (const JointId j : skeleton.joints())
        if (skeleton.joint(j).locked || skeleton.dofCount(j) == 0) held_[index(j)] = 1;
    const JointId hips = body.links_.front().joint;
    JointId root = hips;
    while (skeleton.parent(root) != JointId::None) root = skeleton.parent(root);
    root_moves_ = skeleton.kind(root) == JointKind::Free && !held_[index(root)];

    const ModelPose model = computeModelPose(skeleton, pose);
    hips_ = body.pointIn(model, 0);
    const std::vector<Quat> d = body.linkRotations(pose);
    own_ = body.fromParents(d);
    // A pose that is taken afresh depends on the goals alone.
    const bool afresh = start == NaturalStart::Afresh;
    const ModelPose& usual = afresh ? body.t_pose_ : model;
    if (!afresh) {
        forward_ = NaturalBody::facing(d.front());
    }

    // ---- which goals tell where a point of the prior is
    std::array<bool, kPosePoints.size()> taken = {};
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const auto* goal = std::get_if<PositionGoal>(&goals[g].kind);
        if (goal == nullptr) continue;
        // The nearest point at or above the goal's joint.
        for (JointId j = goal->joint; j != JointId::None; j = skeleton.parent(j)) {
            const auto found =
                std::find_if(body.points_.begin(), body.points_.end(),
                             [&](const NaturalBody::Point& p) { return p.joint == j; });
            if (found == body.points_.end()) continue;
            const auto p = static_cast<std::size_t>(found - body.points_.begin());
            if (taken[p]) break;
            taken[p] = true;
            sources_.push_back({g, p, usual[j] * found->offset - usual[goal->joint] * goal->point});
            break;
        }
    }
    hips_given_ = !root_moves_ && !taken[0];
    needed_.assign(skeleton.jointCount(), 0);
    for (const IkGoal& goal : goals)
        for (JointId joint : jointsOf(goal.kind))
            for (; joint != JointId::None; joint = skeleton.parent(joint))
                needed_[index(joint)] = 1;
    if (!root_moves_ && !afresh)
        for (std::size_t j = 0; j < held_.size(); ++j)
            if (!needed_[j]) held_[j] = 1;
    if (sources_.empty() || afresh) return;
    PosePoints now;
    now.forward = forward_;
    now.forward_weight = kKeptFacing;
    for (const Source& source : sources_) {
        now.positions[source.point] = body.pointIn(model, source.point);
        now.given.set(source.point);
    }
    if (!hips_given_ && !taken[0]) hips_before_ = body.prior_->predict(body.offsets_, now).hips;
    if (!taken[0]) {
        now.positions[0] = hips_;
        now.given.set(0);
    }
    before_ = body.prior_->predict(body.offsets_, now);
}

// How much of the way that people's hips go with such points is needed to reach them: nothing near
// the body, all where a limb and the back would be stretched.
double NaturalSuggestion::hipsNeeded(const PosePoints& points) const {
    // Of the length from the hips through the back and an arm, or through a leg.
    constexpr double kNear = 0.6, kFar = 0.9, kBentLeg = 0.94, kStraightLeg = 1.02;
    const auto along = [&](std::initializer_list<PoseRole> roles) {
        double sum = 0.0;
        for (const PoseRole role : roles) sum += length(body_->offsets_[index(role)]);
        return sum;
    };
    const double back = along({PoseRole::Spine, PoseRole::Chest});
    const double arm =
        back + along({PoseRole::LeftUpperArm, PoseRole::LeftForearm, PoseRole::LeftHand});
    const double leg = along({PoseRole::LeftThigh, PoseRole::LeftShin, PoseRole::LeftFoot});
    double most = 0.0;
    for (const Source& source : sources_) {
        if (!points.given[source.point]) continue;
        double near = kNear, far = kFar, reach = arm;
        switch (kPosePoints[source.point]) {
            case PoseRole::LeftHand:
            case PoseRole::RightHand:
                break;
            case PoseRole::LeftFoot:
            case PoseRole::RightFoot:
            case PoseRole::LeftToes:
            case PoseRole::RightToes:
                near = kBentLeg, far = kStraightLeg, reach = leg;
                break;
            default:  // of the trunk, and what is near it: as people do
                most = 1.0;
                continue;
        }
        const double stretched = distance(points.positions[source.point], hips_) / reach;
        const double t = std::clamp((stretched - near) / (far - near), 0.0, 1.0);
        most = std::max(most, t * t * (3.0 - 2.0 * t));
    }
    return most;
}

PosePoints NaturalSuggestion::pointsFor(std::span<const IkGoal> goals) const {
    PosePoints out;
    out.forward = forward_;
    if (before_) out.forward_weight = kKeptFacing;
    const Quat body_from_model = conjugate(body_->model_from_body_);
    for (const Source& source : sources_) {
        const IkGoal& goal = goals[source.goal];
        if (!goal.enabled || goal.weight == 0.0) continue;
        const Vec3 target = std::get_if<PositionGoal>(&goal.kind)->target + source.offset;
        out.positions[source.point] = rotate(body_from_model, target) / body_->leg_;
        out.given.set(source.point);
    }
    if (hips_given_) {
        out.positions[0] = hips_;
        out.given.set(0);
    }
    return out;
}

void NaturalSuggestion::suggest(std::span<const IkGoal> goals, Pose& pose) const {
    pose = pose_;
    PosePoints points = pointsFor(goals);
    if (sources_.empty() || points.given.none()) return;
    const Skeleton& skeleton = body_->skeleton_;
    if (hips_before_) {
        // People reach with an arm before they move their hips.
        points.positions[0] = hips_;
        if (const double needed = hipsNeeded(points); needed > 0.0)
            points.positions[0] +=
                (body_->prior_->predict(body_->offsets_, points).hips - *hips_before_) * needed;
        points.given.set(0);
    }
    const RolePose after = body_->prior_->predict(body_->offsets_, points);
    const std::array<Quat, kPoseRoles> roles = body_->absolute(after);
    std::array<Quat, kPoseRoles> roles_before;
    if (before_) roles_before = body_->absolute(*before_);

    // ---- D of every link, parents first
    std::vector<Quat> d(body_->links_.size()), n(d.size()), n_before(d.size());
    std::vector<Quat> orientation(skeleton.jointCount());
    std::vector<int> link_of(skeleton.jointCount(), -1);
    for (std::size_t l = 0; l < d.size(); ++l) {
        const NaturalBody::Link& link = body_->links_[l];
        link_of[index(link.joint)] = static_cast<int>(l);
        const auto parent = static_cast<std::size_t>(link.parent);
        n[l] = body_->rotationOf(link, roles);
        Quat own = link.parent < 0 ? n[l] : conjugate(n[parent]) * n[l];
        if (before_) {
            n_before[l] = body_->rotationOf(link, roles_before);
            const Quat was =
                link.parent < 0 ? n_before[l] : conjugate(n_before[parent]) * n_before[l];
            if (!needed_[index(link.joint)]) own = slerp(was, own, kUnasked);
            // The hips turn in the axes of the model, so that a new facing is one.
            own = link.parent < 0 ? own * conjugate(was) * own_[l] : own_[l] * conjugate(was) * own;
        }
        if (held_[index(link.joint)] || (l == 0 && !root_moves_)) own = own_[l];
        d[l] = link.parent < 0 ? own : d[parent] * own;
    }

    // ---- the same as rotations of joints; the others keep theirs
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        const Quat above = parent == JointId::None ? Quat{} : orientation[index(parent)];
        const int l = link_of[index(j)];
        if (l >= 0 && !held_[index(j)] && (l > 0 || root_moves_)) {
            const auto link = static_cast<std::size_t>(l);
            const Quat wanted = body_->model_from_body_ * d[link] *
                                conjugate(body_->links_[link].canonical_from_joint);
            pose[j].rotation = allowedRotation(skeleton, j, normalized(conjugate(above) * wanted));
        }
        orientation[index(j)] = above * pose[j].rotation;
    }
    if (root_moves_) placeRoot(before_ ? hips_ + after.hips - before_->hips : after.hips, pose);
    // A pose that is taken afresh is better off as the prior has it.
    if (before_) placeLimbs(goals, pose);
}

// Brings the hips to where they should be, in leg lengths and body axes.
void NaturalSuggestion::placeRoot(const Vec3& wanted, Pose& pose) const {
    const Skeleton& skeleton = body_->skeleton_;
    const JointId hips = body_->links_.front().joint;
    const Vec3 wanted_hips = rotate(body_->model_from_body_, wanted) * body_->leg_;
    JointId root = hips;
    while (skeleton.parent(root) != JointId::None) root = skeleton.parent(root);
    const Vec3 now = computeModelPoint(skeleton, pose, hips, body_->points_[0].offset);
    pose[root].translation += wanted_hips - now;
}

// Arms and legs bring what goals hold to its targets by themselves, as far as they reach, so that
// the solver has little left to do and a straight knee knows which way it bends.
void NaturalSuggestion::placeLimbs(std::span<const IkGoal> goals, Pose& pose) const {
    // Bends smaller than this have no plane, in radians.
    constexpr double kLeastBend = 1e-5;
    const Skeleton& skeleton = body_->skeleton_;
    for (const auto& [chain, axis] : body_->bends_) {
        if (held_[index(chain.start)] || held_[index(chain.mid)]) continue;
        const PositionGoal* wanted = nullptr;
        bool bent = false;  // the middle has a goal of its own
        for (const IkGoal& goal : goals) {
            const auto* position = std::get_if<PositionGoal>(&goal.kind);
            if (position == nullptr || !goal.enabled || goal.weight == 0.0) continue;
            const JointId j = position->joint;
            if (j == chain.end || skeleton.isAncestor(chain.end, j))
                wanted = position;
            else if (j == chain.mid || skeleton.isAncestor(chain.mid, j))
                bent = true;
        }
        if (wanted == nullptr || bent) continue;
        const Vec3 off =
            wanted->target - computeModelPoint(skeleton, pose, wanted->joint, wanted->point);
        if (length(off) <= kLeastMove * body_->leg_) continue;
        const std::vector<Quat> orientations = computeOrientations(skeleton, pose);
        const Quat& mid = orientations[index(chain.mid)];
        const Vec3 a = computeModelPoint(skeleton, pose, chain.start, {});
        const Vec3 b = computeModelPoint(skeleton, pose, chain.mid, {});
        const Vec3 c = computeModelPoint(skeleton, pose, chain.end, {});
        const double bend = std::asin(std::clamp(
            dot(cross(normalizedOr(b - a, {}), normalizedOr(c - b, {})), rotate(mid, axis)), -1.0,
            1.0));
        Trs& joint = pose[chain.mid];
        if (bend < kLeastBend)
            joint.rotation =
                normalized(joint.rotation * quatFromAxisAngle(axis, kLeastBend - bend));
        (void)solveTwoBone(skeleton, chain, {.target = c + off}, pose);
        if (held_[index(chain.end)]) continue;
        // Hands and feet keep their orientation.
        const Quat parent = computeOrientations(skeleton, pose)[index(skeleton.parent(chain.end))];
        pose[chain.end].rotation = allowedRotation(
            skeleton, chain.end, normalized(conjugate(parent) * orientations[index(chain.end)]));
    }
}

}  // namespace ulna
