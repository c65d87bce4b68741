// SPDX-License-Identifier: Apache-2.0

// For the sources of goals: what each of them has to define, and helpers for it.
//
// A source specialises GoalRules for its own goal, from GoalDefaults, and ends with
// `template struct GoalInterface<ItsGoal>;`.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "ulna/ik/detail/goal_interface.h"

namespace ulna::ik::detail {

template <class Goal>
struct GoalRules;

/// What a goal need not say. What it must: its name (kName), pointers to its joints in order
/// (joints), how a pose is measured (kMeasured, measure), fault and evaluate.
struct GoalDefaults {
    static constexpr bool kErrorIsAngle = false;  // or a function errorIsAngle of the goal
    static constexpr bool kInFiles = true;
    static constexpr bool kCanPin = false;
    // A goal about the whole body has allBodies and evaluateAll instead of joints and evaluate.
    static constexpr bool kWholeBody = false;
    template <class Goal>
    static std::vector<GoalMember> members(Goal&) {
        return {};
    }
    template <class Goal>
    static GoalTarget target(Goal&) {
        return {};
    }
    template <class Goal>
    static void pin(const ModelPose&, std::span<const double>, Goal&) {}
    template <class Goal>
    static void shift(Goal&, const Vec3&) {}
    template <class Goal>
    static void toAnatomical(const AnatomicalRig&, Goal&) {}
};

/// An enumerator of a goal; the words are in the order of the enumerators.
template <class Enum>
[[nodiscard]] GoalChoice choiceOf(Enum& value, std::span<const std::string_view> words) {
    static_assert(std::is_same_v<std::underlying_type_t<Enum>, std::uint8_t>);
    return {reinterpret_cast<std::uint8_t*>(&value), words};
}

inline constexpr std::string_view kNotFinite = "a number is not finite, or too far away";

/// Squares of what is farther away would overflow.
[[nodiscard]] inline bool isNearEnough(const Vec3& v) {
    constexpr double kFarthest = 1e75;
    return std::abs(v.x) <= kFarthest && std::abs(v.y) <= kFarthest && std::abs(v.z) <= kFarthest;
}
[[nodiscard]] inline bool isUnitVector(const Vec3& v) {
    return isFinite(v) && std::abs(length(v) - 1.0) < 1e-6;
}

/// A vector in a joint's coordinates, restated in those of its anatomical joint.
inline void restate(const AnatomicalRig& rig, JointId joint, Vec3& v) {
    v = rotate(conjugate(rig.joint_from_anatomical[index(joint)]), v);
}

template <class Goal>
std::string_view GoalInterface<Goal>::name() {
    return GoalRules<Goal>::kName;
}
template <class Goal>
bool GoalInterface<Goal>::errorIsAngle([[maybe_unused]] const Goal& goal) {
    if constexpr (requires { GoalRules<Goal>::errorIsAngle(goal); })
        return GoalRules<Goal>::errorIsAngle(goal);
    else
        return GoalRules<Goal>::kErrorIsAngle;
}
template <class Goal>
bool GoalInterface<Goal>::inFiles() {
    return GoalRules<Goal>::kInFiles;
}
template <class Goal>
GoalBodies GoalInterface<Goal>::bodies(const Goal& goal) {
    GoalBodies out;
    for (const JointId* joint : GoalRules<Goal>::joints(goal)) out.joint[out.count++] = *joint;
    return out;
}
template <class Goal>
bool GoalInterface<Goal>::isWholeBody() {
    return GoalRules<Goal>::kWholeBody;
}
template <class Goal>
std::vector<JointId> GoalInterface<Goal>::allBodies(const Goal& goal) {
    if constexpr (GoalRules<Goal>::kWholeBody) {
        return GoalRules<Goal>::allBodies(goal);
    } else {
        const GoalBodies held = bodies(goal);
        return {held.joint.begin(), held.joint.begin() + static_cast<std::ptrdiff_t>(held.count)};
    }
}
template <class Goal>
void GoalInterface<Goal>::setBodies(std::span<const JointId> joints, Goal& goal) {
    std::size_t i = 0;
    for (JointId* joint : GoalRules<Goal>::joints(goal)) *joint = joints[i++];
}
template <class Goal>
std::vector<GoalMember> GoalInterface<Goal>::members(Goal& goal) {
    return GoalRules<Goal>::members(goal);
}
template <class Goal>
GoalTarget GoalInterface<Goal>::target(Goal& goal) {
    return GoalRules<Goal>::target(goal);
}
template <class Goal>
GoalMeasure GoalInterface<Goal>::measure(const Goal& goal, std::span<const BodyFrame> bodies) {
    GoalMeasure out = {.name = GoalRules<Goal>::kMeasured,
                       .value = GoalRules<Goal>::measure(goal, bodies)};
    const bool tells = std::holds_alternative<double>(out.value) || out.name.empty();
    if (!tells) out.error_name = errorIsAngle(goal) ? "angle_degrees" : "distance";
    return out;
}
template <class Goal>
bool GoalInterface<Goal>::canPin() {
    return GoalRules<Goal>::kCanPin;
}
template <class Goal>
void GoalInterface<Goal>::pin(const ModelPose& pose, std::span<const double> dofs, Goal& goal) {
    GoalRules<Goal>::pin(pose, dofs, goal);
}
template <class Goal>
std::string_view GoalInterface<Goal>::fault(const Skeleton& skeleton, const Goal& goal) {
    return GoalRules<Goal>::fault(skeleton, goal);
}
template <class Goal>
void GoalInterface<Goal>::evaluate([[maybe_unused]] const Goal& goal,
                                   [[maybe_unused]] std::span<const BodyFrame> bodies,
                                   [[maybe_unused]] bool planar, GoalRows& rows) {
    if constexpr (GoalRules<Goal>::kWholeBody)
        rows = {};
    else
        GoalRules<Goal>::evaluate(goal, bodies, planar, rows);
}
template <class Goal>
void GoalInterface<Goal>::evaluateAll(const Goal& goal, std::span<const BodyFrame> bodies,
                                      bool planar, GoalRows& rows,
                                      std::span<BodyWrenches> wrenches) {
    if constexpr (GoalRules<Goal>::kWholeBody) {
        GoalRules<Goal>::evaluateAll(goal, bodies, planar, rows, wrenches);
    } else {
        GoalRules<Goal>::evaluate(goal, bodies, planar, rows);
        for (std::size_t b = 0; b < wrenches.size(); ++b) wrenches[b] = rows.wrench[b];
    }
}
template <class Goal>
void GoalInterface<Goal>::shift(Goal& goal, const Vec3& origin) {
    GoalRules<Goal>::shift(goal, origin);
}
template <class Goal>
void GoalInterface<Goal>::toAnatomical(const AnatomicalRig& rig, Goal& goal) {
    GoalRules<Goal>::toAnatomical(rig, goal);
}

}  // namespace ulna::ik::detail
