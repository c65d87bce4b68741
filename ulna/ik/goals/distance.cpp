// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/distance.h"

namespace ulna {

GoalBodies bodiesOf(const DistanceGoal& goal) {
    return {2, {goal.joint_a, goal.joint_b, JointId::None}};
}

void evaluate(const DistanceGoal& goal, std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
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

}  // namespace ulna
