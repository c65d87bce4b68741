// SPDX-License-Identifier: Apache-2.0

// What solvers ask of a goal of any kind; see detail/goal_interface.h.
#pragma once

#include <span>
#include <string_view>

#include "ulna/ik/detail/goal_interface.h"
#include "ulna/ik/goal.h"

namespace ulna::ik::detail {

/// What is wrong with the values of a goal, or empty: positions must be finite, axes unit vectors.
[[nodiscard]] inline std::string_view faultOf(const Skeleton& skeleton, const GoalKind& kind) {
    return ask(kind, [&](const auto& goal, auto of) { return of.fault(skeleton, goal); });
}

/// Residuals and wrenches of a goal; a posture has no rows.
inline void evaluate(const GoalKind& kind, std::span<const BodyFrame> bodies, bool planar,
                     GoalRows& rows) {
    ask(kind, [&](const auto& goal, auto of) { of.evaluate(goal, bodies, planar, rows); });
}

/// Whether a goal is about the whole body: see GoalInterface.
[[nodiscard]] inline bool isWholeBody(const GoalKind& kind) {
    return ask(kind, [](const auto&, auto of) { return of.isWholeBody(); });
}

/// Residuals of a goal of any kind, with the wrenches of every joint in jointsOf(kind).
inline void evaluateAll(const GoalKind& kind, std::span<const BodyFrame> bodies, bool planar,
                        GoalRows& rows, std::span<BodyWrenches> wrenches) {
    ask(kind,
        [&](const auto& goal, auto of) { of.evaluateAll(goal, bodies, planar, rows, wrenches); });
}

/// Makes model positions relative to `origin`.
inline void shiftGoal(GoalKind& kind, const Vec3& origin) {
    ask(kind, [&](auto& goal, auto of) { of.shift(goal, origin); });
}

}  // namespace ulna::ik::detail
