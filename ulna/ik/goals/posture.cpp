// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/posture.h"

#include <algorithm>

#include "ulna/skeleton/jacobian.h"

namespace ulna {

namespace {

bool turnsFreely(const Skeleton& skeleton, JointId joint) {
    const JointKind kind = skeleton.kind(joint);
    return !skeleton.planar() && (kind == JointKind::Ball || kind == JointKind::Free);
}

// Where a ball's three numbers begin among the joint's own.
std::size_t firstTurn(const Skeleton& skeleton, JointId joint) {
    return skeleton.kind(joint) == JointKind::Free ? 3 : 0;
}

}  // namespace

PostureRest preparePosture(const Skeleton& skeleton, JointId joint, const double* rest) {
    PostureRest out;
    std::copy_n(rest, skeleton.dofCount(joint), out.numbers.begin());
    if (turnsFreely(skeleton, joint))
        out.turn =
            state_internal::ballRotation(skeleton.joint(joint), rest + firstTurn(skeleton, joint));
    return out;
}

void evaluatePosture(const Skeleton& skeleton, JointId joint, const double* dofs,
                     const PostureRest& rest, double* out, double* gradient) {
    const std::size_t count = skeleton.dofCount(joint);
    for (std::size_t i = 0; i < count; ++i) out[i] = dofs[i] - rest.numbers[i];
    if (gradient != nullptr) std::copy_n(out, count, gradient);
    if (!turnsFreely(skeleton, joint)) return;
    const std::size_t first = firstTurn(skeleton, joint);
    const JointDef& def = skeleton.joint(joint);
    const Quat now = state_internal::ballRotation(def, dofs + first);
    const Vec3 off = quatLog(conjugate(rest.turn) * now);
    for (std::size_t k = 0; k < 3; ++k) out[first + k] = off[k];
    if (gradient == nullptr) return;
    // Turning on by a small rotation vector d in the joint's own frame changes half the squared
    // length of the logarithm by off . d, because the logarithm is its own eigenvector.
    const std::array<Vec3, 3> axes = ballAxes(def, dofs + first);
    const Quat back = conjugate(now);
    for (std::size_t k = 0; k < 3; ++k) gradient[first + k] = dot(off, rotate(back, axes[k]));
}

}  // namespace ulna
