// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/posture.h"

#include "ulna/skeleton/jacobian.h"

namespace ulna {

void evaluatePosture(const Skeleton& skeleton, JointId joint, const double* dofs,
                     const double* rest, double* out, double* gradient) {
    const std::size_t count = skeleton.dofCount(joint);
    for (std::size_t i = 0; i < count; ++i) gradient[i] = out[i] = dofs[i] - rest[i];
    if (skeleton.planar()) return;
    const JointKind kind = skeleton.kind(joint);
    if (kind != JointKind::Ball && kind != JointKind::Free) return;
    const std::size_t first = kind == JointKind::Free ? 3 : 0;
    const JointDef& def = skeleton.joint(joint);
    const Quat now = state_internal::ballRotation(def, dofs + first);
    const Vec3 off = quatLog(conjugate(state_internal::ballRotation(def, rest + first)) * now);
    // Turning on by a small rotation vector d in the joint's own frame changes half the squared
    // length of the logarithm by off . d, because the logarithm is its own eigenvector.
    const std::array<Vec3, 3> axes = ballAxes(def, dofs + first);
    const Quat back = conjugate(now);
    for (std::size_t k = 0; k < 3; ++k) {
        out[first + k] = off[k];
        gradient[first + k] = dot(off, rotate(back, axes[k]));
    }
}

}  // namespace ulna
