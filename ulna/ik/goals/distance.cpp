// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/distance.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<DistanceGoal> : GoalDefaults {
    static constexpr std::string_view kName = "distance";
    static constexpr std::string_view kMeasured = "measured";
    static constexpr std::string_view kBounds[] = {"exactly", "at_least", "at_most"};

    static auto joints(auto& goal) { return std::array{&goal.joint_a, &goal.joint_b}; }
    static std::vector<GoalMember> members(DistanceGoal& goal) {
        return {{"points", GoalPoints{{&goal.point_a, &goal.point_b}}},
                {"distance", GoalLength{&goal.distance}},
                {"bound", choiceOf(goal.bound, kBounds)}};
    }
    static double measure(const DistanceGoal& goal, std::span<const BodyFrame> bodies) {
        return distance(pointOn(bodies[0], goal.point_a), pointOn(bodies[1], goal.point_b));
    }
    static std::string_view fault(const Skeleton&, const DistanceGoal& goal) {
        if (goal.joint_a == goal.joint_b) return "both points are fixed to one joint";
        if (!(goal.distance >= 0.0)) return "the distance is not zero or more";
        return isNearEnough(goal.point_a) && isNearEnough(goal.point_b) &&
                       std::isfinite(goal.distance)
                   ? ""
                   : kNotFinite;
    }
    static void toAnatomical(const AnatomicalRig& rig, DistanceGoal& goal) {
        restate(rig, goal.joint_a, goal.point_a);
        restate(rig, goal.joint_b, goal.point_b);
    }
    static void evaluate(const DistanceGoal& goal, std::span<const BodyFrame> bodies, bool,
                         GoalRows& rows) {
        const Vec3 a = pointOn(bodies[0], goal.point_a);
        const Vec3 b = pointOn(bodies[1], goal.point_b);
        const double apart = distance(a, b);
        const double off = apart - goal.distance;
        const bool met = (goal.bound == DistanceBound::AtLeast && off >= 0.0) ||
                         (goal.bound == DistanceBound::AtMost && off <= 0.0);
        rows.count = 1;
        rows.residual = {met ? 0.0 : off, 0.0, 0.0};
        rows.error = std::abs(rows.residual[0]);
        const Vec3 away = met ? Vec3{} : normalizedOr(b - a, Vec3{1, 0, 0});
        rows.wrench[0][0] = forceAt(a, -away);
        rows.wrench[1][0] = forceAt(b, away);
    }
};

template struct GoalInterface<DistanceGoal>;

}  // namespace ulna::ik::detail
