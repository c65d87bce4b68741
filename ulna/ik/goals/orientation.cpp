// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/orientation.h"

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {

template <>
struct GoalRules<OrientationGoal> : GoalDefaults {
    static constexpr std::string_view kName = "orientation";
    static constexpr bool kErrorIsAngle = true;
    static constexpr bool kCanPin = true;
    static constexpr std::string_view kMeasured = "rotation";

    static auto joints(auto& goal) { return std::array{&goal.joint}; }
    static GoalTarget target(OrientationGoal& goal) { return {.rotation = &goal.target}; }
    static void pin(const ModelPose& pose, std::span<const double>, OrientationGoal& goal) {
        goal.target = rotationOf(pose[goal.joint]);
    }
    static JointId measure(const OrientationGoal& goal, std::span<const BodyFrame>) {
        return goal.joint;
    }
    static std::string_view fault(const Skeleton&, const OrientationGoal& goal) {
        const bool unit = std::abs(std::sqrt(dot(goal.target, goal.target)) - 1.0) < 1e-6;
        return unit ? "" : "the target is no unit quaternion";
    }
    static void toAnatomical(const AnatomicalRig& rig, OrientationGoal& goal) {
        goal.target = goal.target * rig.joint_from_anatomical[index(goal.joint)];
    }
    static void evaluate(const OrientationGoal& goal, std::span<const BodyFrame> bodies,
                         bool planar, GoalRows& rows) {
        Quat off = quatFromMatrix(bodies[0].orientation) * conjugate(goal.target);
        if (off.w < 0.0) off = -off;
        const Vec3 v = off.vector();
        rows.error = 2.0 * std::atan2(length(v), off.w);
        // With q = (v, w) rotating by omega: dq = (w omega + omega x v) / 2, and the residual is 2
        // v.
        if (planar) {
            rows.count = 1;
            rows.residual = {2.0 * v.z, 0.0, 0.0};
            rows.wrench[0][0] = {{0, 0, off.w}, {}};
            return;
        }
        rows.count = 3;
        rows.residual = {2.0 * v.x, 2.0 * v.y, 2.0 * v.z};
        rows.wrench[0] = {Wrench{{off.w, v.z, -v.y}, {}}, Wrench{{-v.z, off.w, v.x}, {}},
                          Wrench{{v.y, -v.x, off.w}, {}}};
    }
};

template struct GoalInterface<OrientationGoal>;

}  // namespace ulna::ik::detail
