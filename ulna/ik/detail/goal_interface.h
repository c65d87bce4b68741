// SPDX-License-Identifier: Apache-2.0

// What solvers ask of every kind of goal.
//
// To add a kind: a header in ik/goals with its struct, a source beside it that defines its
// GoalRules (detail/goal_rules.h), and its name in the variant of ik/goal.h. Files of goals, the
// tool, clips and batches then know it; for the engine it is described in bindings/wasm.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "ulna/ik/goals/member.h"
#include "ulna/ik/goals/rows.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::ik::detail {

/// The members are instantiated in the source of each goal.
template <class Goal>
struct GoalInterface {
    static std::string_view name();
    static bool errorIsAngle(const Goal& goal);
    /// Whether files of goals can hold it.
    static bool inFiles();
    static GoalBodies bodies(const Goal& goal);
    /// Whether it is about the whole body, so that it holds any number of joints: those of
    /// allBodies, and none in bodies.
    static bool isWholeBody();
    /// Every joint that its residuals depend on; some may be there repeatedly.
    static std::vector<JointId> allBodies(const Goal& goal);
    /// Gives the goal its joints, in the order of bodies(goal).
    static void setBodies(std::span<const JointId> joints, Goal& goal);
    static std::vector<GoalMember> members(Goal& goal);
    static GoalTarget target(Goal& goal);
    /// `bodies` are those of allBodies(goal), in order.
    static GoalMeasure measure(const Goal& goal, std::span<const BodyFrame> bodies);
    static bool canPin();
    /// Makes a pose meet the goal: the target is what the pose has. Postures need `dofs`.
    static void pin(const ModelPose& pose, std::span<const double> dofs, Goal& goal);
    /// What is wrong with the values of a goal, or empty.
    static std::string_view fault(const Skeleton& skeleton, const Goal& goal);
    /// `bodies` are those of bodies(goal), in order.
    static void evaluate(const Goal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows);
    /// The same for a goal of any kind, with one set of wrenches for each of allBodies(goal).
    static void evaluateAll(const Goal& goal, std::span<const BodyFrame> bodies, bool planar,
                            GoalRows& rows, std::span<BodyWrenches> wrenches);
    /// Makes model positions relative to `origin`.
    static void shift(Goal& goal, const Vec3& origin);
    static void toAnatomical(const AnatomicalRig& rig, Goal& goal);
};

/// Residuals and wrenches of a goal; a posture has no rows.
template <class Goal>
void evaluate(const Goal& goal, std::span<const BodyFrame> bodies, bool planar, GoalRows& rows) {
    GoalInterface<Goal>::evaluate(goal, bodies, planar, rows);
}

template <class Goal>
[[nodiscard]] GoalBodies bodiesOf(const Goal& goal) {
    return GoalInterface<Goal>::bodies(goal);
}

/// Calls `question(goal, interface)` with the goal that a variant of goals holds and its
/// GoalInterface.
template <class Kind, class Question>
decltype(auto) ask(Kind& kind, Question&& question) {
    return std::visit(
        [&](auto& goal) -> decltype(auto) {
            return question(goal, GoalInterface<std::remove_cvref_t<decltype(goal)>>{});
        },
        kind);
}

}  // namespace ulna::ik::detail
