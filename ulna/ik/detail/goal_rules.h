// SPDX-License-Identifier: Apache-2.0

// For the sources of goals: what each of them has to define, and helpers for it.
//
// A source specialises GoalRules for its own goal, from GoalDefaults, and ends with
// `template struct GoalInterface<ItsGoal>;`.
#pragma once

#include <cmath>

#include "ulna/ik/detail/goal_interface.h"

namespace ulna::ik::detail {

template <class Goal>
struct GoalRules;

/// What a goal need not say.
struct GoalDefaults {
    static constexpr bool kErrorIsAngle = false;
    template <class Goal>
    static void shift(Goal&, const Vec3&) {}
    template <class Goal>
    static void toAnatomical(const AnatomicalRig&, Goal&) {}
};

/// The bodies of a goal that holds one joint.
[[nodiscard]] inline GoalBodies oneBody(JointId joint) {
    return {1, {joint, JointId::None, JointId::None}};
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
bool GoalInterface<Goal>::errorIsAngle() {
    return GoalRules<Goal>::kErrorIsAngle;
}
template <class Goal>
GoalBodies GoalInterface<Goal>::bodies(const Goal& goal) {
    return GoalRules<Goal>::bodies(goal);
}
template <class Goal>
std::string_view GoalInterface<Goal>::fault(const Skeleton& skeleton, const Goal& goal) {
    return GoalRules<Goal>::fault(skeleton, goal);
}
template <class Goal>
void GoalInterface<Goal>::evaluate(const Goal& goal, std::span<const BodyFrame> bodies, bool planar,
                                   GoalRows& rows) {
    GoalRules<Goal>::evaluate(goal, bodies, planar, rows);
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
