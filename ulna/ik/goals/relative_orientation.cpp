// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/relative_orientation.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<RelativeOrientationGoal> : GoalDefaults {
    static constexpr std::string_view kName = "relative_orientation";
    static constexpr bool kErrorIsAngle = true;
    static constexpr bool kCanPin = true;
    static constexpr std::string_view kMeasured = "rotation";

    static auto joints(auto& goal) { return std::array{&goal.joint, &goal.base}; }
    static GoalTarget target(RelativeOrientationGoal& goal) { return {.rotation = &goal.target}; }
    static void pin(const ModelPose& pose, std::span<const double>, RelativeOrientationGoal& goal) {
        goal.target = conjugate(rotationOf(pose[goal.base])) * rotationOf(pose[goal.joint]);
    }
    static Quat measure(const RelativeOrientationGoal&, std::span<const BodyFrame> bodies) {
        const Quat q = quatFromMatrix(transpose(bodies[1].orientation) * bodies[0].orientation);
        return q.w < 0.0 ? -q : q;
    }
    static std::string_view fault(const Skeleton&, const RelativeOrientationGoal& goal) {
        if (goal.joint == goal.base) return "the target is relative to the joint itself";
        const bool unit = std::abs(std::sqrt(dot(goal.target, goal.target)) - 1.0) < 1e-6;
        return unit ? "" : "the target is no unit quaternion";
    }
    static void toAnatomical(const AnatomicalRig& rig, RelativeOrientationGoal& goal) {
        goal.target = conjugate(rig.joint_from_anatomical[index(goal.base)]) * goal.target *
                      rig.joint_from_anatomical[index(goal.joint)];
    }
    static void evaluate(const RelativeOrientationGoal& goal, std::span<const BodyFrame> bodies,
                         bool planar, GoalRows& rows) {
        const Quat target = quatFromMatrix(bodies[1].orientation) * goal.target;
        Quat off = quatFromMatrix(bodies[0].orientation) * conjugate(target);
        if (off.w < 0.0) off = -off;
        const Vec3 v = off.vector();
        rows.error = 2.0 * std::atan2(length(v), off.w);
        // With q = (v, w), the joint rotating by a and the base by b: dq = (a q - q b) / 2, whose
        // vector is (w (a - b) + (a + b) x v) / 2, and the residual is 2 v.
        if (planar) {
            rows.count = 1;
            rows.residual = {2.0 * v.z, 0.0, 0.0};
            rows.wrench[0][0] = {{0, 0, off.w}, {}};
            rows.wrench[1][0] = {{0, 0, -off.w}, {}};
            return;
        }
        rows.count = 3;
        rows.residual = {2.0 * v.x, 2.0 * v.y, 2.0 * v.z};
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3 e;
            e[k] = 1.0;
            const Vec3 across = cross(v, e);
            rows.wrench[0][k] = {e * off.w + across, {}};
            rows.wrench[1][k] = {e * -off.w + across, {}};
        }
    }
};

template struct GoalInterface<RelativeOrientationGoal>;

}  // namespace ulna::ik::detail
