// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/relative_position.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<RelativePositionGoal> : GoalDefaults {
    static constexpr std::string_view kName = "relative_position";
    static constexpr bool kCanPin = true;
    static constexpr std::string_view kMeasured = "position";

    static auto joints(auto& goal) { return std::array{&goal.joint, &goal.base}; }
    static GoalTarget target(RelativePositionGoal& goal) { return {.point = &goal.target}; }
    static std::vector<GoalMember> members(RelativePositionGoal& goal) {
        return {{"point", GoalPoints{{&goal.point}}}};
    }
    static void pin(const ModelPose& pose, std::span<const double>, RelativePositionGoal& goal) {
        goal.target = inverse(pose[goal.base]) * (pose[goal.joint] * goal.point);
    }
    /// In the coordinates of the base, as the target is.
    static Vec3 measure(const RelativePositionGoal& goal, std::span<const BodyFrame> bodies) {
        const Vec3 off = pointOn(bodies[0], goal.point) - bodies[1].position;
        return transpose(bodies[1].orientation) * off / bodies[1].scale;
    }
    static std::string_view fault(const Skeleton&, const RelativePositionGoal& goal) {
        if (goal.joint == goal.base) return "the target is fixed to the joint itself";
        return isNearEnough(goal.point) && isNearEnough(goal.target) ? "" : kNotFinite;
    }
    static void toAnatomical(const AnatomicalRig& rig, RelativePositionGoal& goal) {
        restate(rig, goal.joint, goal.point);
        restate(rig, goal.base, goal.target);
    }
    static void evaluate(const RelativePositionGoal& goal, std::span<const BodyFrame> bodies,
                         bool planar, GoalRows& rows) {
        const Vec3 p = pointOn(bodies[0], goal.point);
        const Vec3 target = pointOn(bodies[1], goal.target);
        const Vec3 off = p - target;
        rows.count = planar ? 2 : 3;
        rows.residual = {off.x, off.y, off.z};
        rows.error = planar ? std::sqrt(off.x * off.x + off.y * off.y) : length(off);
        for (std::size_t k = 0; k < rows.count; ++k) {
            Vec3 e;
            e[k] = 1.0;
            rows.wrench[0][k] = forceAt(p, e);
            rows.wrench[1][k] = forceAt(target, -e);
        }
    }
};

template struct GoalInterface<RelativePositionGoal>;

}  // namespace ulna::ik::detail
