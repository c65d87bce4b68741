// SPDX-License-Identifier: Apache-2.0

// Forward kinematics: from a skeleton's state to where everything is in model space.
//
// Root to leaf for all joints at once, leaf to root for one point, relative to any ancestor, and
// back from orientations to rotations. With Q the orientation, x the position and l the offset of a
// joint: Q_i = Q_parent R_i and x_i = x_parent + Q_parent l_i, the offset rotating with the parent.
// For many poses at once see skeleton/batch.h; for derivatives skeleton/jacobian.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/math/planar.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/state.h"

namespace ulna {

/// model_from_joint of every joint of a pose.
/// @pre pose has one transform per joint of skeleton.
[[nodiscard]] ModelPose computeModelPose(const Skeleton& skeleton, const Pose& pose);

/// The same into an existing result, which allocates nothing once it has the right size. Uses AVX2
/// where the machine has it; agrees with computeModelTransforms to rounding.
void computeModelPose(const Skeleton& skeleton, const Pose& pose, ModelPose& model);

/// model_from_joint of every joint for one coordinate per degree of freedom, in any scalar: double,
/// float, or Dual for automatic differentiation.
/// @pre dofs.size() == skeleton.dofCount().
template <class S>
[[nodiscard]] std::vector<AffineT<S>> computeModelTransforms(const Skeleton& skeleton,
                                                             std::span<const S> dofs);

/// The plain loop that the fast path of computeModelPose is tested against.
template <class S>
void composeModelTransforms(const Skeleton& skeleton, std::span<const TrsT<S>> parent_from_joint,
                            std::span<AffineT<S>> model_from_joint);

/// A point fixed to `joint` (in its coordinates) in model space, leaf to root: touches only the
/// joint's ancestors.
[[nodiscard]] Vec3 computeModelPoint(const Skeleton& skeleton, const Pose& pose, JointId joint,
                                     const Vec3& joint_point);

/// A point fixed to `joint`, in the coordinates of `ancestor`. With JointId::None, in model space.
/// @pre ancestor is None, `joint` itself, or above it.
[[nodiscard]] Vec3 computePointInAncestor(const Skeleton& skeleton, const Pose& pose, JointId joint,
                                          const Vec3& joint_point, JointId ancestor);

/// Orientation of every joint in model space, scale removed.
[[nodiscard]] std::vector<Quat> computeOrientations(const Skeleton& skeleton, const Pose& pose);

/// Rotations of a pose (rest rotation included) from orientations in model space:
/// R_i = transpose(Q_parent) Q_i.
[[nodiscard]] std::vector<Quat> computeRotations(const Skeleton& skeleton,
                                                 std::span<const Quat> orientations);

/// The rotation from the frame of one joint to that of another: transpose(Q_from) Q_to.
[[nodiscard]] Quat relativeRotation(std::span<const Quat> orientations, JointId from, JointId to);

/// The map of rest points to posed points for every joint: model_from_joint times the inverse of
/// model_from_joint at rest. What skinning multiplies vertices by.
[[nodiscard]] std::vector<Affine> computePosedFromRest(const Skeleton& skeleton,
                                                       const ModelPose& model);

/// Joint positions of a planar skeleton by complex numbers: p_i = p_parent + R(sum of the angles of
/// the strict ancestors) u_i.
/// @pre skeleton.planar()
template <class S>
[[nodiscard]] std::vector<Vec2T<S>> computePlanarPositions(const Skeleton& skeleton,
                                                           std::span<const S> dofs);

// ---- template definitions

template <class S>
void composeModelTransforms(const Skeleton& skeleton, std::span<const TrsT<S>> parent_from_joint,
                            std::span<AffineT<S>> model_from_joint) {
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parents()[index(j)];
        const AffineT<S> local = toAffine(parent_from_joint[index(j)]);
        model_from_joint[index(j)] =
            parent == JointId::None ? local : model_from_joint[index(parent)] * local;
    }
}

template <class S>
std::vector<AffineT<S>> computeModelTransforms(const Skeleton& skeleton, std::span<const S> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    std::vector<TrsT<S>> parent_from_joint(skeleton.jointCount());
    for (std::size_t i = 0; i < parent_from_joint.size(); ++i) {
        const JointId j = jointId(i);
        parent_from_joint[i] = computeJointTransform(skeleton, j, jointDofs(skeleton, j, dofs));
    }
    std::vector<AffineT<S>> model(skeleton.jointCount());
    composeModelTransforms<S>(skeleton, parent_from_joint, model);
    return model;
}

template <class S>
std::vector<Vec2T<S>> computePlanarPositions(const Skeleton& skeleton, std::span<const S> dofs) {
    ULNA_ASSERT(skeleton.planar(), "computePlanarPositions needs a planar skeleton");
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    std::vector<Rigid2T<S>> model(skeleton.jointCount());
    std::vector<Vec2T<S>> positions;
    positions.reserve(model.size());
    for (std::size_t i = 0; i < model.size(); ++i) {
        const JointId j = jointId(i);
        const JointDef& def = skeleton.joint(j);
        const S* own = dofs.data() + skeleton.firstDof(j);
        // Half the angle is in a quaternion about z, the whole angle in a complex number.
        const Quat& q = def.rest.rotation;
        const Rot2T<S> rest{S(q.w * q.w - q.z * q.z), S(2.0 * q.w * q.z)};
        Rigid2T<S> local{{S(def.rest.translation.x), S(def.rest.translation.y)}, rest};
        if (def.kind == JointKind::Hinge) {
            local.rotation = rest * Rot2T<S>::fromAngle(own[0] * S(def.axes[0].z));
        } else if (def.kind == JointKind::Prismatic) {
            local.translation += rest * (Vec2T<S>{S(def.axes[0].x), S(def.axes[0].y)} * own[0]);
        } else if (def.kind == JointKind::Free) {
            local.translation += rest * Vec2T<S>{own[0], own[1]};
            local.rotation = rest * Rot2T<S>::fromAngle(own[2]);
        }
        const JointId parent = skeleton.parent(j);
        model[i] = parent == JointId::None ? local : model[index(parent)] * local;
        positions.push_back(model[i].translation);
    }
    return positions;
}

}  // namespace ulna
