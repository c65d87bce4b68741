// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/position.h"

namespace ulna {

GoalBodies bodiesOf(const PositionGoal& goal) {
    return {1, {goal.joint, JointId::None, JointId::None}};
}

void evaluate(const PositionGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows) {
    const Vec3 p = pointOn(bodies[0], goal.point);
    const Vec3 off = p - goal.target;
    rows.count = planar ? 2 : 3;
    rows.residual = {off.x, off.y, off.z};
    rows.wrench[0] = {forceAt(p, {1, 0, 0}), forceAt(p, {0, 1, 0}), forceAt(p, {0, 0, 1})};
    rows.error = planar ? std::sqrt(off.x * off.x + off.y * off.y) : length(off);
}

}  // namespace ulna
