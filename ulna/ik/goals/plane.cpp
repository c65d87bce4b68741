// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/plane.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<PlaneGoal> : GoalDefaults {
    static constexpr std::string_view kName = "plane";
    static constexpr std::string_view kMeasured = "position";
    static constexpr std::string_view kSides[] = {"above", "on"};

    static auto joints(auto& goal) { return std::array{&goal.joint}; }
    static std::vector<GoalMember> members(PlaneGoal& goal) {
        return {{"point", GoalPoints{{&goal.point}}},
                {"normal", GoalDirection{&goal.normal}},
                {"offset", GoalNumber{&goal.offset}},
                {"side", choiceOf(goal.side, kSides)}};
    }
    static Vec3 measure(const PlaneGoal& goal, std::span<const BodyFrame> bodies) {
        return pointOn(bodies[0], goal.point);
    }
    static std::string_view fault(const Skeleton&, const PlaneGoal& goal) {
        if (!isUnitVector(goal.normal)) return "the normal is no unit vector";
        return isNearEnough(goal.point) && std::isfinite(goal.offset) ? "" : kNotFinite;
    }
    static void shift(PlaneGoal& goal, const Vec3& origin) {
        goal.offset -= dot(goal.normal, origin);
    }
    static void toAnatomical(const AnatomicalRig& rig, PlaneGoal& goal) {
        restate(rig, goal.joint, goal.point);
    }
    static void evaluate(const PlaneGoal& goal, std::span<const BodyFrame> bodies, bool,
                         GoalRows& rows) {
        const Vec3 p = pointOn(bodies[0], goal.point);
        const double height = dot(goal.normal, p) - goal.offset;
        const bool met = goal.side == PlaneSide::Above && height >= 0.0;
        rows.count = 1;
        rows.residual = {met ? 0.0 : height, 0.0, 0.0};
        rows.wrench[0][0] = met ? Wrench{} : forceAt(p, goal.normal);
        rows.error = std::abs(rows.residual[0]);
    }
};

template struct GoalInterface<PlaneGoal>;

}  // namespace ulna::ik::detail
