// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/position.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<PositionGoal> : GoalDefaults {
    static constexpr std::string_view kName = "position";
    static constexpr bool kCanPin = true;
    static constexpr std::string_view kMeasured = "position";

    static auto joints(auto& goal) { return std::array{&goal.joint}; }
    static GoalTarget target(PositionGoal& goal) { return {.point = &goal.target}; }
    static std::vector<GoalMember> members(PositionGoal& goal) {
        return {{"point", GoalPoints{{&goal.point}}}};
    }
    static void pin(const ModelPose& pose, std::span<const double>, PositionGoal& goal) {
        goal.target = pose[goal.joint] * goal.point;
    }
    static Vec3 measure(const PositionGoal& goal, std::span<const BodyFrame> bodies) {
        return pointOn(bodies[0], goal.point);
    }
    static std::string_view fault(const Skeleton&, const PositionGoal& goal) {
        return isNearEnough(goal.point) && isNearEnough(goal.target) ? "" : kNotFinite;
    }
    static void shift(PositionGoal& goal, const Vec3& origin) { goal.target -= origin; }
    static void toAnatomical(const AnatomicalRig& rig, PositionGoal& goal) {
        restate(rig, goal.joint, goal.point);
    }
    static void evaluate(const PositionGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows) {
        const Vec3 p = pointOn(bodies[0], goal.point);
        const Vec3 off = p - goal.target;
        rows.count = planar ? 2 : 3;
        rows.residual = {off.x, off.y, off.z};
        rows.wrench[0] = {forceAt(p, {1, 0, 0}), forceAt(p, {0, 1, 0}), forceAt(p, {0, 0, 1})};
        rows.error = planar ? std::sqrt(off.x * off.x + off.y * off.y) : length(off);
    }
};

template struct GoalInterface<PositionGoal>;

}  // namespace ulna::ik::detail
