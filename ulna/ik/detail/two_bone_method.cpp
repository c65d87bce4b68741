// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/two_bone_method.h"

namespace ulna::ik::detail {
namespace {

// The limb that a two-bone problem is about: given by its pole goal, or the two moving joints above
// the goal's joint.
Result<TwoBoneChain> findLimb(const Problem& problem) {
    const Skeleton& skeleton = problem.mechanism().skeleton();
    const auto error = [](const std::string& what) { return Diagnostic{what, {}, {}, {}}; };
    const PositionGoal* position = nullptr;
    const PoleGoal* pole = nullptr;
    for (const IkGoal& goal : problem.goals()) {
        if (const auto* p = std::get_if<PositionGoal>(&goal.kind)) {
            if (position != nullptr) return error("two-bone has one position goal, not several");
            position = p;
        } else {
            if (pole != nullptr) return error("two-bone has one pole, not several");
            pole = &std::get<PoleGoal>(goal.kind);
        }
    }
    if (position == nullptr) return error("two-bone needs a position goal");
    if (position->point != Vec3{})
        return error("two-bone moves a joint, not a point beside it: '" +
                     skeleton.name(position->joint) + "'");
    if (pole != nullptr) {
        if (pole->end != position->joint)
            return error("the pole's limb does not end at the goal's joint '" +
                         skeleton.name(position->joint) + "'");
        return TwoBoneChain{pole->start, pole->mid, pole->end};
    }
    const auto movingAbove = [&](JointId j) {
        do {
            j = skeleton.parent(j);
        } while (j != JointId::None && !problem.mechanism().moves(j));
        return j;
    };
    TwoBoneChain limb;
    limb.end = position->joint;
    limb.mid = movingAbove(limb.end);
    limb.start = limb.mid == JointId::None ? JointId::None : movingAbove(limb.mid);
    if (limb.start == JointId::None)
        return error("there are no two joints above '" + skeleton.name(limb.end) +
                     "' that may move");
    return limb;
}

}  // namespace

Status TwoBoneMethod::build(const Problem& problem) {
    const Result<TwoBoneChain> limb = findLimb(problem);
    if (!limb) return limb.error();
    limb_ = *limb;
    pose_ = restPose(problem.mechanism().skeleton());
    return Done{};
}

Outcome TwoBoneMethod::solve(Problem& problem, const Pose& base, Evaluation& now,
                             IkReport& report) {
    const Mechanism& mechanism = problem.mechanism();
    TwoBoneGoal goal;
    for (const IkGoal& own : problem.goals()) {
        if (const auto* position = std::get_if<PositionGoal>(&own.kind)) {
            if (!own.enabled) return Outcome::Reached;
            goal.target = position->target;
        }
        if (const auto* pole = std::get_if<PoleGoal>(&own.kind); pole != nullptr && own.enabled)
            goal.pole = pole->pole;
    }
    pose_ = base;
    mechanism.store(now.at, pose_);
    static_cast<void>(solveTwoBone(mechanism.skeleton(), limb_, goal, pose_));
    mechanism.load(pose_, now.at);
    mechanism.clamp(now.at);
    problem.evaluate(now);
    report.iterations = 1;
    if (problem.options().record_history) report.history.push_back(now.worst);
    return now.worst <= 1.0 ? Outcome::Reached : Outcome::Stationary;
}

}  // namespace ulna::ik::detail
