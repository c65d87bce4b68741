// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/orientation.h"

namespace ulna {

GoalBodies bodiesOf(const OrientationGoal& goal) {
    return {1, {goal.joint, JointId::None, JointId::None}};
}

void evaluate(const OrientationGoal& goal, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows) {
    Quat off = quatFromMatrix(bodies[0].orientation) * conjugate(goal.target);
    if (off.w < 0.0) off = -off;
    const Vec3 v = off.vector();
    rows.error = 2.0 * std::atan2(length(v), off.w);
    // With q = (v, w) turned on by w: dq = (w omega + omega x v) / 2, and the residual is 2 v.
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

}  // namespace ulna
