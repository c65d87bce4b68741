// SPDX-License-Identifier: Apache-2.0

// DofVector, the other state of a skeleton, and the maps between it and Pose.
//
// A DofVector has one coordinate per degree of freedom: an angle may exceed one revolution, limits
// are checked here, and inverse kinematics and batches work on it. A Pose has one transform per
// joint. Going from coordinates to transforms is exact; going back finds the nearest coordinates
// and reports what they cannot express.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// One coordinate per degree of freedom, in the order of Skeleton::firstDof. All zero is the rest
/// pose.
using DofVector = std::vector<double>;

/// The coordinates of one joint among those of the skeleton.
/// @pre dofs.size() == skeleton.dofCount().
template <class T>
[[nodiscard]] std::span<T> jointDofs(const Skeleton& skeleton, JointId joint, std::span<T> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    return dofs.subspan(skeleton.firstDof(joint), skeleton.dofCount(joint));
}

/// The joint's transform for its own coordinates (`T` is a scalar, const or not):
/// T(l + t) * B * R * S.
/// @pre dofs.size() == skeleton.dofCount(joint).
template <class T>
[[nodiscard]] TrsT<std::remove_const_t<T>> computeJointTransform(const Skeleton& skeleton,
                                                                 JointId joint, std::span<T> dofs);

/// The pose of these coordinates; joints without a sliding degree of freedom keep their rest
/// offset.
/// @pre dofs.size() == skeleton.dofCount().
[[nodiscard]] Pose computePose(const Skeleton& skeleton, std::span<const double> dofs);

/// Writes into `pose` what the coordinates determine and keeps the rest of it: the stretch of
/// joints that do not slide, and every scale.
void applyDofs(const Skeleton& skeleton, std::span<const double> dofs, Pose& pose);

/// The coordinates nearest to a pose, and what of the pose they cannot express.
struct DofFit {
    DofVector dofs;
    double rotation_residual = 0.0;  ///< largest angle left over at one joint
    JointId rotation_joint = JointId::None;
    double translation_residual = 0.0;  ///< largest offset left over at one joint
    JointId translation_joint = JointId::None;
    double scale_residual = 0.0;  ///< largest difference of a scale from rest
    JointId scale_joint = JointId::None;
};

/// Replaces one joint's coordinates by those nearest to a transform. Where several are equally near
/// (whole revolutions, Euler branches, gimbal lock), by those nearest to the previous ones.
/// @pre dofs.size() == skeleton.dofCount(joint).
void computeJointDofs(const Skeleton& skeleton, JointId joint, const Trs& parent_from_joint,
                      std::span<double> dofs);

/// The coordinates whose pose is nearest to `pose`, joint by joint. Where several are equally near,
/// those nearest to `near`.
/// @pre near is empty (meaning zero) or near.size() == skeleton.dofCount().
[[nodiscard]] DofFit computeDofs(const Skeleton& skeleton, const Pose& pose,
                                 std::span<const double> near = {});

/// Replaces one joint's angles by others of the same rotation that its limits allow, where there
/// are any: whole revolutions added, the other Euler branch, another split in gimbal lock.
/// @pre dofs.size() == skeleton.dofCount(joint).
void turnIntoLimits(const Skeleton& skeleton, JointId joint, std::span<double> dofs);

/// Moves coordinates outside their limits to the nearest allowed ones, lets those follow that are
/// coupled, and returns the joints it changed. Cone limits: the twist is clamped, the swing
/// projected onto its cone; exact inside.
std::vector<JointId> clampToLimits(const Skeleton& skeleton, std::span<double> dofs);

/// Sets every coordinate that follows another to what its leader asks for.
/// @pre dofs.size() == skeleton.dofCount().
void applyCouplings(const Skeleton& skeleton, std::span<double> dofs);

/// The rotation near `rotation` that a joint can hold: of its kind, then inside its limits as
/// clampToLimits does it, whole revolutions added to the angles where that brings them nearer. Both
/// include the rest rotation, as a pose does. A rotation that a ball or free joint already allows
/// comes back to the bit; from other joints, to rounding.
[[nodiscard]] Quat allowedRotation(const Skeleton& skeleton, JointId joint, const Quat& rotation);

/// clampToLimits for one joint, whatever is coupled to it; says whether it changed anything.
/// Allocates nothing.
bool clampJointToLimits(const Skeleton& skeleton, JointId joint, std::span<double> dofs);

/// How far the coordinates are outside their limits, in radians or units of length: the largest
/// excess over all degrees of freedom and cones, or distance from what a coupling asks for; 0 when
/// everything is allowed.
[[nodiscard]] double limitExcess(const Skeleton& skeleton, std::span<const double> dofs);

/// The rotation nearest to `q` that a cone allows: the twist clamped, the swing projected; exact
/// inside.
[[nodiscard]] Quat clampToCone(const ConeLimit& cone, const Quat& q);

/// The largest swing that clampToCone and the solvers give: `swing_max`, but where the twist is
/// limited not quite half a revolution, at which the twist is not determined.
[[nodiscard]] double largestSwing(const ConeLimit& cone);

/// How far a rotation is outside its cone, in radians; 0 inside.
[[nodiscard]] double coneExcess(const ConeLimit& cone, const Quat& q);

/// The rotation of a ball's three angles: Euler angles in its order, or a rotation vector.
/// @pre joint is a Ball, or a Free joint of a skeleton that is not planar.
template <class S>
[[nodiscard]] QuatT<S> computeBallRotation(const JointDef& joint, const Vec3T<S>& angles) {
    return joint.coordinates == BallCoordinates::RotationVector
               ? quatExp(angles)
               : quatFromEuler(joint.order, angles);
}

/// The three angles of a ball for a rotation: of all that express it, those nearest to `near`.
[[nodiscard]] Vec3 computeBallAngles(const JointDef& joint, const Quat& rotation, const Vec3& near);

// ---- template definitions

namespace state_internal {

template <class S>
QuatT<S> cast(const Quat& q) {
    return {S(q.x), S(q.y), S(q.z), S(q.w)};
}

// Writes what the coordinates of a joint determine, which are known to be as many as it has: its
// rotation, and where it slides its translation.
template <class S>
void applyJointDofs(const JointDef& joint, bool planar, const S* dofs, TrsT<S>& out) {
    const QuatT<S> rest_rotation = cast<S>(joint.rest.rotation);
    const auto moved = [&](const Vec3T<S>& by) {
        return cast<S>(joint.rest.translation) + rotate(rest_rotation, by);
    };
    switch (joint.kind) {
        case JointKind::Fixed:
            out.rotation = rest_rotation;
            break;
        case JointKind::Hinge:
            out.rotation = rest_rotation * quatFromAxisAngle(cast<S>(joint.axes[0]), dofs[0]);
            break;
        case JointKind::Universal:
            out.rotation = rest_rotation * quatFromAxisAngle(cast<S>(joint.axes[0]), dofs[0]) *
                           quatFromAxisAngle(cast<S>(joint.axes[1]), dofs[1]);
            break;
        case JointKind::Ball:
            out.rotation =
                rest_rotation * computeBallRotation(joint, Vec3T<S>{dofs[0], dofs[1], dofs[2]});
            break;
        case JointKind::Free:
            if (planar) {
                out.translation = moved({dofs[0], dofs[1], S(0)});
                out.rotation = rest_rotation * quatAboutAxis(2, dofs[2]);
            } else {
                out.translation = moved({dofs[0], dofs[1], dofs[2]});
                out.rotation =
                    rest_rotation * computeBallRotation(joint, Vec3T<S>{dofs[3], dofs[4], dofs[5]});
            }
            break;
        case JointKind::Prismatic:
            out.translation = moved(cast<S>(joint.axes[0]) * dofs[0]);
            out.rotation = rest_rotation;
            break;
    }
}

// The whole transform of a joint.
template <class S>
TrsT<S> jointTransform(const JointDef& joint, bool planar, const S* dofs) {
    TrsT<S> out{cast<S>(joint.rest.translation), cast<S>(joint.rest.scale), {}};
    applyJointDofs(joint, planar, dofs, out);
    return out;
}

}  // namespace state_internal

template <class T>
TrsT<std::remove_const_t<T>> computeJointTransform(const Skeleton& skeleton, JointId id,
                                                   std::span<T> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(id), "one number per degree of freedom is needed");
    return state_internal::jointTransform<std::remove_const_t<T>>(skeleton.joint(id),
                                                                  skeleton.planar(), dofs.data());
}

}  // namespace ulna
