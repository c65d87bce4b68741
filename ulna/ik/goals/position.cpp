// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/position.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<PositionGoal> : GoalDefaults {
    static constexpr std::string_view kName = "position";

    static GoalBodies bodies(const PositionGoal& goal) { return oneBody(goal.joint); }
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
