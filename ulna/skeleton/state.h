// SPDX-License-Identifier: Apache-2.0

// DofVector, the other state of a skeleton, and the maps between it and Pose.
//
// A DofVector has one number per degree of freedom: an angle may exceed a turn, limits are judged
// here, and inverse kinematics and batches work on it. A Pose has one transform per joint. Going
// from numbers to transforms is exact; going back finds the nearest numbers and says what is left.
#pragma once

#include <span>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// One number per degree of freedom, in the order of Skeleton::firstDof. All zero is the rest pose.
using DofVector = std::vector<double>;

/// The joint's transform for its own numbers: T(l + t) * B * R * S.
/// @pre dofs points at skeleton.dofCount(joint) numbers.
template <class S>
[[nodiscard]] TrsT<S> computeJointTransform(const Skeleton& skeleton, JointId joint, const S* dofs);

/// The pose of these numbers; joints without a sliding degree of freedom keep their rest offset.
/// @pre dofs.size() == skeleton.dofCount().
[[nodiscard]] Pose computePose(const Skeleton& skeleton, std::span<const double> dofs);

/// Writes into `pose` what the numbers govern and keeps the rest of it: the stretch of joints that
/// do not slide, and every scale.
void applyDofs(const Skeleton& skeleton, std::span<const double> dofs, Pose& pose);

/// The numbers nearest to a pose, and what of the pose they cannot express.
struct DofFit {
    DofVector dofs;
    double rotation_residual = 0.0;  ///< largest angle left over at one joint
    JointId rotation_joint = JointId::None;
    double translation_residual = 0.0;  ///< largest offset left over at one joint
    JointId translation_joint = JointId::None;
    double scale_residual = 0.0;  ///< largest difference of a scale from rest
    JointId scale_joint = JointId::None;
};

/// One joint's numbers nearest to a transform; `dofs` has the numbers to be near to, and gets them.
/// @pre dofs points at skeleton.dofCount(joint) numbers.
void computeJointDofs(const Skeleton& skeleton, JointId joint, const Trs& parent_from_joint,
                      double* dofs);

/// The numbers whose pose is nearest to `pose`, joint by joint. Where several are equally near
/// (whole turns, Euler branches, gimbal lock), those nearest to `near`.
/// @pre near is empty (meaning zero) or has skeleton.dofCount() numbers.
[[nodiscard]] DofFit computeDofs(const Skeleton& skeleton, const Pose& pose,
                                 std::span<const double> near = {});

/// Moves numbers outside their limits to the nearest allowed ones and returns the joints it
/// changed. Cone limits: the twist is clamped, the swing projected onto its cone; exact inside.
std::vector<JointId> clampToLimits(const Skeleton& skeleton, std::span<double> dofs);

/// The rotation near `rotation` that a joint can hold: of its kind, then inside its limits as
/// clampToLimits has it, whole turns added to the angles where that brings them nearer. Both
/// include the rest rotation, as a pose does. What the joint can hold already comes back to the bit
/// from a ball or free joint, to rounding from others.
[[nodiscard]] Quat allowedRotation(const Skeleton& skeleton, JointId joint, const Quat& rotation);

/// The same for one joint; says whether it changed anything. Allocates nothing.
bool clampJointToLimits(const Skeleton& skeleton, JointId joint, std::span<double> dofs);

/// How far the numbers are outside their limits, in radians or units of length: the largest excess
/// over all degrees of freedom and cones, 0 when everything is allowed.
[[nodiscard]] double limitExcess(const Skeleton& skeleton, std::span<const double> dofs);

/// The rotation nearest to `q` that a cone allows: the twist clamped, the swing projected; exact
/// inside.
[[nodiscard]] Quat clampToCone(const ConeLimit& cone, const Quat& q);

/// How far a rotation is outside its cone, in radians; 0 inside.
[[nodiscard]] double coneExcess(const ConeLimit& cone, const Quat& q);

/// The rotation of a ball's three numbers: Euler angles in its order, or a rotation vector.
/// @pre joint is a Ball, or a Free joint outside the plane.
[[nodiscard]] Quat computeBallRotation(const JointDef& joint, const Vec3& angles);

/// The three numbers of a ball for a rotation: of all that stand for it, those nearest to `near`.
[[nodiscard]] Vec3 computeBallAngles(const JointDef& joint, const Quat& rotation, const Vec3& near);

// ---- template definitions

namespace state_internal {

template <class S>
QuatT<S> ballRotation(const JointDef& joint, const S* angles) {
    const Vec3T<S> v{angles[0], angles[1], angles[2]};
    return joint.coordinates == BallCoordinates::RotationVector ? quatExp(v)
                                                                : quatFromEuler(joint.order, v);
}

template <class S>
QuatT<S> cast(const Quat& q) {
    return {S(q.x), S(q.y), S(q.z), S(q.w)};
}

}  // namespace state_internal

template <class S>
TrsT<S> computeJointTransform(const Skeleton& skeleton, JointId id, const S* dofs) {
    const JointDef& joint = skeleton.joint(id);
    const QuatT<S> rest_rotation = state_internal::cast<S>(joint.rest.rotation);
    TrsT<S> out{cast<S>(joint.rest.translation), cast<S>(joint.rest.scale), rest_rotation};
    switch (joint.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            out.rotation = rest_rotation * quatFromAxisAngle(cast<S>(joint.axes[0]), dofs[0]);
            break;
        case JointKind::Universal:
            out.rotation = rest_rotation * quatFromAxisAngle(cast<S>(joint.axes[0]), dofs[0]) *
                           quatFromAxisAngle(cast<S>(joint.axes[1]), dofs[1]);
            break;
        case JointKind::Ball:
            out.rotation = rest_rotation * state_internal::ballRotation(joint, dofs);
            break;
        case JointKind::Free:
            if (skeleton.planar()) {
                out.translation += rotate(rest_rotation, Vec3T<S>{dofs[0], dofs[1], S(0)});
                out.rotation = rest_rotation * quatAboutAxis(2, dofs[2]);
            } else {
                out.translation += rotate(rest_rotation, Vec3T<S>{dofs[0], dofs[1], dofs[2]});
                out.rotation = rest_rotation * state_internal::ballRotation(joint, dofs + 3);
            }
            break;
        case JointKind::Prismatic:
            out.translation += rotate(rest_rotation, cast<S>(joint.axes[0]) * dofs[0]);
            break;
    }
    return out;
}

}  // namespace ulna
