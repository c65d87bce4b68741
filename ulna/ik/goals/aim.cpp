// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/aim.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<AimGoal> : GoalDefaults {
    static constexpr std::string_view kName = "aim";
    static constexpr bool kErrorIsAngle = true;
    static constexpr std::string_view kMeasured = "direction";

    static auto joints(auto& goal) { return std::array{&goal.joint}; }
    static GoalTarget target(AimGoal& goal) { return {.point = &goal.target}; }
    static std::vector<GoalMember> members(AimGoal& goal) {
        return {{"axis", GoalDirection{&goal.axis, true}}, {"eye", GoalPoints{{&goal.eye}}}};
    }
    static Vec3 measure(const AimGoal& goal, std::span<const BodyFrame> bodies) {
        return bodies[0].orientation * goal.axis;
    }
    static std::string_view fault(const Skeleton&, const AimGoal& goal) {
        if (!isUnitVector(goal.axis)) return "the axis is no unit vector";
        return isNearEnough(goal.eye) && isNearEnough(goal.target) ? "" : kNotFinite;
    }
    static void shift(AimGoal& goal, const Vec3& origin) { goal.target -= origin; }
    static void toAnatomical(const AnatomicalRig& rig, AimGoal& goal) {
        restate(rig, goal.joint, goal.axis);
        restate(rig, goal.joint, goal.eye);
    }
    static void evaluate(const AimGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows) {
        const Vec3 eye = pointOn(bodies[0], goal.eye);
        const Vec3 axis = bodies[0].orientation * goal.axis;
        const Vec3 sight = goal.target - eye;
        const double far = length(sight);
        rows.count = planar ? 2 : 3;
        // Nearer than rounding of the two positions there is no direction to look in.
        if (!(far > 1e-12 * (length(eye) + length(goal.target)))) {
            rows.residual = {};
            rows.wrench[0] = {};
            rows.error = 0.0;
            return;
        }
        const Vec3 towards = sight / far;
        const Vec3 off = axis - towards;
        rows.residual = {off.x, off.y, off.z};
        rows.error = std::atan2(length(cross(axis, towards)), dot(axis, towards));
        for (std::size_t k = 0; k < rows.count; ++k) {
            Vec3 e;
            e[k] = 1.0;
            // The axis rotates with the body; the unit sight rotates as the eye moves across it.
            const Vec3 across = (e - towards * towards[k]) / far;
            Wrench w = forceAt(eye, across);
            w.moment += cross(axis, e);
            rows.wrench[0][k] = w;
        }
    }
};

template struct GoalInterface<AimGoal>;

}  // namespace ulna::ik::detail
