// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/aim.h"

namespace ulna {

GoalBodies bodiesOf(const AimGoal& goal) {
    return {1, {goal.joint, JointId::None, JointId::None}};
}

void evaluate(const AimGoal& goal, std::span<const BodyFrame> bodies, bool planar, GoalRows& rows) {
    const Vec3 eye = pointOn(bodies[0], goal.eye);
    const Vec3 axis = bodies[0].orientation * goal.axis;
    const Vec3 sight = goal.target - eye;
    const double far = length(sight);
    rows.count = planar ? 2 : 3;
    // Nearer than rounding of the eye's own place there is no direction to look in.
    if (!(far > 1e-12 * (1.0 + length(eye)))) {
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
        // The axis turns with the body; the unit sight turns as the eye moves across it.
        const Vec3 across = (e - towards * towards[k]) / far;
        Wrench w = forceAt(eye, across);
        w.moment += cross(axis, e);
        rows.wrench[0][k] = w;
    }
}

}  // namespace ulna
