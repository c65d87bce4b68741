// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goal.h"

#include <array>
#include <cmath>
#include <utility>

#include "ulna/ik/detail/goal_interface.h"

namespace ulna {
namespace {

using ik::detail::ask;

// One frame for every joint of the goal.
std::vector<BodyFrame> heldBy(const GoalKind& kind, std::span<const BodyFrame> joints) {
    std::vector<BodyFrame> out;
    for (const JointId joint : jointsOf(kind)) out.push_back(joints[index(joint)]);
    return out;
}

GoalMeasure measure(const GoalKind& kind, std::span<const BodyFrame> held) {
    return ask(kind, [&](const auto& goal, auto of) { return of.measure(goal, held); });
}

template <std::size_t... I>
std::vector<GoalKind> kindsAt(std::index_sequence<I...>) {
    return {GoalKind(std::in_place_index<I>)...};
}

}  // namespace

std::string_view goalKindName(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.name(); });
}

bool isInFiles(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.inFiles(); });
}

GoalBodies bodiesOf(const GoalKind& kind) {
    return ask(kind, [](const auto& goal, auto of) { return of.bodies(goal); });
}

std::vector<JointId> jointsOf(const GoalKind& kind) {
    return ask(kind, [](const auto& goal, auto of) { return of.allBodies(goal); });
}

std::vector<GoalKind> allGoalKinds() {
    return kindsAt(std::make_index_sequence<std::variant_size_v<GoalKind>>());
}

void setBodies(std::span<const JointId> joints, GoalKind& kind) {
    ask(kind, [&](auto& goal, auto of) { of.setBodies(joints, goal); });
}

std::vector<GoalMember> membersOf(GoalKind& kind) {
    return ask(kind, [](auto& goal, auto of) { return of.members(goal); });
}

GoalTarget targetOf(GoalKind& kind) {
    return ask(kind, [](auto& goal, auto of) { return of.target(goal); });
}

bool canPin(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.canPin(); });
}

void pinTo(const ModelPose& pose, std::span<const double> dofs, GoalKind& kind) {
    ask(kind, [&](auto& goal, auto of) { of.pin(pose, dofs, goal); });
}

bool errorIsAngle(const GoalKind& kind) {
    return ask(kind, [](const auto& goal, auto of) { return of.errorIsAngle(goal); });
}

double goalError(const GoalKind& kind, std::span<const BodyFrame> joints, bool planar) {
    const std::vector<BodyFrame> held = heldBy(kind, joints);
    std::vector<BodyWrenches> wrenches(held.size());
    GoalRows rows;
    ask(kind,
        [&](const auto& goal, auto of) { of.evaluateAll(goal, held, planar, rows, wrenches); });
    return rows.error;
}

GoalMeasure measureGoal(const GoalKind& kind, std::span<const BodyFrame> joints) {
    return measure(kind, heldBy(kind, joints));
}

GoalMeasure measureNames(const GoalKind& kind) {
    return measure(kind, std::vector<BodyFrame>(jointsOf(kind).size()));
}

Status checkGoal(const Skeleton& skeleton, const IkGoal& goal) {
    std::string kind(goalKindName(goal.kind));
    if (const auto* custom = std::get_if<CustomGoal>(&goal.kind); custom && !custom->name.empty())
        kind += " '" + custom->name + "'";
    const GoalBodies bodies = bodiesOf(goal.kind);
    std::string of;
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (index(bodies.joint[i]) >= skeleton.jointCount())
            return Diagnostic{"a " + kind + " goal has a joint that does not exist", {}, {}, {}};
        of += (i == 0 ? " of '" : "', '") + skeleton.name(bodies.joint[i]);
    }
    if (!of.empty()) of += "'";
    const auto error = [&](std::string_view what) {
        return Diagnostic{"the " + kind + " goal" + of + ": " + std::string(what), {}, {}, {}};
    };
    if (!(goal.weight >= 0.0) || !std::isfinite(goal.weight))
        return error("the weight is not zero or more");
    if (goal.level != 1 && goal.level != 2) return error("the level is neither 1 nor 2");
    const std::string_view fault =
        ask(goal.kind, [&](const auto& own, auto rules) { return rules.fault(skeleton, own); });
    if (!fault.empty()) return error(fault);
    return Done{};
}

GoalKind toAnatomical(const AnatomicalRig& rig, GoalKind kind) {
    ask(kind, [&](auto& goal, auto of) { of.toAnatomical(rig, goal); });
    return kind;
}

}  // namespace ulna
