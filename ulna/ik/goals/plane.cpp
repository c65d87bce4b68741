// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/plane.h"

namespace ulna {

GoalBodies bodiesOf(const PlaneGoal& goal) {
    return {1, {goal.joint, JointId::None, JointId::None}};
}

void evaluate(const PlaneGoal& goal, std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
    const Vec3 p = pointOn(bodies[0], goal.point);
    const double height = dot(goal.normal, p) - goal.offset;
    const bool met = goal.side == PlaneSide::Above && height >= 0.0;
    rows.count = 1;
    rows.residual = {met ? 0.0 : height, 0.0, 0.0};
    rows.wrench[0][0] = met ? Wrench{} : forceAt(p, goal.normal);
    rows.error = std::abs(rows.residual[0]);
}

}  // namespace ulna
