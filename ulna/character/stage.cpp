// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/stage.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ulna/character/bulk.h"
#include "ulna/character/warnings.h"
#include "ulna/core/assert.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

template <class Map>
Motion mapped(const Motion& motion, const Map& map) {
    Motion out(map(motion.base()), motion.frameCount(), motion.frameTime(), motion.tracks());
    out.name = motion.name;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) out.setPose(f, map(motion.pose(f)));
    return out;
}

// Whether two transforms of a joint differ by what people may notice.
bool differ(const Trs& a, const Trs& b) {
    const double size = 1.0 + length(a.translation);
    return angleBetween(a.rotation, b.rotation) > kNoticeable ||
           distance(a.translation, b.translation) > kNoticeable * size;
}

// Prepares natural poses where a whole human body is recognised.
void addNatural(const Skeleton& skeleton, const StageOptions& options, Stage& stage) {
    const Pose t_pose =
        stage.anatomy || options.t_pose == nullptr ? restPose(stage.skeleton) : *options.t_pose;
    Result<NaturalBody> body =
        NaturalBody::make(stage.skeleton, t_pose, PosePrior::human(), options.map);
    if (!body || body->confidence() < kSureBody) return;
    if (!options.skins.empty()) {
        const Pose rest = restPose(skeleton);
        body->setShape(measuredShape(body->shape(),
                                     computeModelPose(stage.skeleton, stage.toStage(rest)),
                                     options.skins, skeleton, computeModelPose(skeleton, rest)));
    }
    stage.natural = std::make_shared<const NaturalBody>(*std::move(body));
}

}  // namespace

std::span<const RecognisedJoint> Stage::recognised() const {
    if (!anatomy) return {};
    return anatomy->recognised;
}

void Stage::enter(Pose& pose) const {
    if (anatomy) turnToAnatomical(*anatomy, pose);
}

void Stage::leave(Pose& pose) const {
    if (anatomy) turnFromAnatomical(*anatomy, pose);
}

Pose Stage::toStage(Pose pose) const {
    enter(pose);
    return pose;
}

Pose Stage::fromStage(Pose pose) const {
    leave(pose);
    return pose;
}

Motion Stage::toStage(const Motion& motion) const {
    return anatomy ? mapped(motion, [&](Pose pose) { return toStage(std::move(pose)); }) : motion;
}

Motion Stage::fromStage(const Motion& motion) const {
    return anatomy ? mapped(motion, [&](Pose pose) { return fromStage(std::move(pose)); }) : motion;
}

GoalKind Stage::toStage(GoalKind kind) const {
    return anatomy ? toAnatomical(*anatomy, std::move(kind)) : kind;
}

Vec3 Stage::toStage(GoalKind kind, const Vec3& target) const {
    *targetOf(kind).point = target;
    kind = toStage(std::move(kind));
    return *targetOf(kind).point;
}

Quat Stage::toStage(GoalKind kind, const Quat& target) const {
    *targetOf(kind).rotation = target;
    kind = toStage(std::move(kind));
    return *targetOf(kind).rotation;
}

IkClipGoal Stage::toStage(IkClipGoal goal) const {
    if (!anatomy) return goal;
    for (Vec3& point : goal.points) point = toStage(goal.goal.kind, point);
    for (Quat& rotation : goal.orientations) rotation = toStage(goal.goal.kind, rotation);
    goal.goal.kind = toStage(std::move(goal.goal.kind));
    return goal;
}

Result<Stage> makeStage(const Skeleton& skeleton, const StageOptions& options) {
    Stage out;
    out.limits = options.limits;
    switch (options.limits) {
        case LimitSource::Own:
            out.skeleton = skeleton;
            break;
        case LimitSource::None:
            out.skeleton = withoutLimits(skeleton);
            break;
        case LimitSource::Anatomical: {
            Result<AnatomicalRig> rig = makeAnatomicalRig(
                skeleton, options.t_pose != nullptr ? *options.t_pose : restPose(skeleton),
                options.map);
            if (!rig) return rig.error();
            out.warnings = rig->warnings;
            out.skeleton = rig->skeleton;
            out.anatomy = *std::move(rig);
            break;
        }
        case LimitSource::Borrowed: {
            ULNA_ASSERT(options.other != nullptr, "limits are borrowed from some skeleton");
            Result<BorrowedLimits> borrowed = withLimitsOf(skeleton, *options.other);
            if (!borrowed) return borrowed.error();
            out.skeleton = std::move(borrowed->skeleton);
            out.taken = std::move(borrowed->taken);
            out.without = std::move(borrowed->without);
            out.warnings = std::move(borrowed->warnings);
            break;
        }
    }
    addNatural(skeleton, options, out);
    return out;
}

Stage makeUsualStage(const Skeleton& skeleton, const BodyMap* map,
                     std::span<const Mesh* const> skins) {
    // Hips, spine, neck and two joints of each limb are more; a table or a dog has fewer.
    constexpr std::size_t kMostOfABody = 8;
    if (!skeleton.planar() && !hasLimits(skeleton)) {
        Result<Stage> human =
            makeStage(skeleton, {.limits = LimitSource::Anatomical, .map = map, .skins = skins});
        std::set<std::string_view> parts;
        if (human)
            for (const RecognisedJoint& each : human->recognised()) parts.insert(each.part);
        if (parts.size() >= kMostOfABody && human->anatomy->confidence >= kSureBody)
            return *std::move(human);
    }
    return *makeStage(skeleton, {.map = map, .skins = skins});
}

bool hasLimits(const Skeleton& skeleton) {
    const std::span<const DofLimit> limits = skeleton.dofLimits();
    const std::span<const JointDef> joints = skeleton.definitions();
    return std::any_of(limits.begin(), limits.end(),
                       [](const DofLimit& limit) { return limit.bounded(); }) ||
           std::any_of(joints.begin(), joints.end(),
                       [](const JointDef& joint) { return joint.cone.has_value(); });
}

std::vector<JointId> feetOf(const Stage& stage) {
    std::vector<JointId> out;
    for (const RecognisedJoint& each : stage.recognised())
        if (each.part.ends_with("ankle")) out.push_back(each.joint);
    if (!out.empty()) return out;
    const Result<BodyRoles> body = findBodyRoles(stage.skeleton, restPose(stage.skeleton));
    if (!body || body->confidence < kSureBody) return out;
    // What carries the sole, or else the first joint of the ankle; an animal's hands are feet too.
    const auto add = [&](const std::string& carrier, const std::string& joint) {
        std::vector<JointId> found = body->find(carrier);
        if (found.empty()) found = body->find(joint);
        if (!found.empty()) out.push_back(found.front());
    };
    for (const std::string side : {"left.", "right."}) {
        if (body->kind == BodyKind::Quadruped) add(side + "hand", side + "wrist");
        add(side + "foot", side + "ankle");
    }
    return out;
}

std::vector<JointId> heldRoots(const Skeleton& skeleton) {
    std::vector<JointId> out;
    for (const JointId root : skeleton.roots())
        if (slides(skeleton.kind(root))) out.push_back(root);
    return out;
}

bool keepsInPlace(const IkClipGoal& goal) {
    const GoalKind& kind = goal.goal.kind;
    return goal.pinned && goal.goal.enabled &&
           (std::holds_alternative<PositionGoal>(kind) ||
            std::holds_alternative<OrientationGoal>(kind));
}

StageStart startInside(const Skeleton& skeleton, const Pose& pose, std::span<const double> near) {
    StageStart out;
    out.dofs = computeDofs(skeleton, pose, near).dofs;
    clampToLimits(skeleton, out.dofs);
    Pose allowed = pose;
    applyDofs(skeleton, out.dofs, allowed);
    for (const JointId j : skeleton.joints())
        if (differ(pose[j], allowed[j])) out.clamped.push_back(j);
    return out;
}

std::vector<JointId> coupleJoints(const Skeleton& skeleton, Pose& pose) {
    std::vector<JointId> out;
    if (skeleton.couplings().empty()) return out;
    DofVector dofs = computeDofs(skeleton, pose).dofs;
    applyCouplings(skeleton, dofs);
    for (const DofCoupling& c : skeleton.couplings()) {
        const JointId j = skeleton.jointOfDof(c.dof);
        const Trs asked =
            computeJointTransform(skeleton, j, jointDofs(skeleton, j, std::span(dofs)));
        Trs& own = pose[j];
        const Trs coupled = {slides(skeleton.kind(j)) ? asked.translation : own.translation,
                             own.scale, asked.rotation};
        if (!differ(own, coupled)) continue;
        own = coupled;
        out.push_back(j);
    }
    return out;
}

std::vector<JointId> clampToStage(const Skeleton& skeleton, Pose& pose) {
    std::vector<JointId> out;
    DofVector dofs(skeleton.dofCount());
    for (const JointId j : skeleton.joints()) {
        Trs allowed = pose[j];
        allowed.rotation = allowedRotation(skeleton, j, pose[j].rotation);
        if (slides(skeleton.kind(j))) {
            const std::span<double> own = jointDofs(skeleton, j, std::span(dofs));
            computeJointDofs(skeleton, j, pose[j], own);
            clampJointToLimits(skeleton, j, dofs);
            allowed.translation = computeJointTransform(skeleton, j, own).translation;
        }
        if (!differ(pose[j], allowed)) continue;
        pose[j] = allowed;
        out.push_back(j);
    }
    for (const JointId j : coupleJoints(skeleton, pose)) out.push_back(j);
    return out;
}

}  // namespace ulna
