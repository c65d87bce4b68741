// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goal.h"

#include <array>
#include <cmath>

#include "ulna/ik/detail/goal_interface.h"

namespace ulna {
namespace {

using ik::detail::ask;

}  // namespace

std::string_view goalKindName(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.name(); });
}

GoalBodies bodiesOf(const GoalKind& kind) {
    return ask(kind, [](const auto& goal, auto of) { return of.bodies(goal); });
}

bool errorIsAngle(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.errorIsAngle(); });
}

double goalError(const GoalKind& kind, std::span<const BodyFrame> joints, bool planar) {
    std::array<BodyFrame, kMaxGoalBodies> held;
    const GoalBodies bodies = bodiesOf(kind);
    for (std::size_t b = 0; b < bodies.count; ++b) held[b] = joints[index(bodies.joint[b])];
    ik::detail::GoalRows rows;
    ask(kind, [&](const auto& goal, auto of) { of.evaluate(goal, held, planar, rows); });
    return rows.error;
}

Status checkGoal(const Skeleton& skeleton, const IkGoal& goal) {
    const std::string kind(goalKindName(goal.kind));
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
