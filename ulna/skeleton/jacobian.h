// SPDX-License-Identifier: Apache-2.0

// Derivatives of points and orientations with respect to the degrees of freedom.
//
// Three ways, which agree: geometric (what solvers use: one cross product per degree of freedom),
// automatic differentiation and central differences (what it is checked against).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

/// How one degree of freedom moves everything below its joint, in model space: a point p moves with
/// velocity  angular x (p - origin) + linear.
struct DofMotion {
    Vec3 angular;  ///< zero for a sliding degree of freedom
    Vec3 linear;   ///< zero for a rotating one
    Vec3 origin;   ///< the joint's position
};

/// The axes of the three angles of a Ball or Free joint, in the frame before its rotations: the
/// first as it is, the next rotated by the first rotation, and so on; for a rotation vector the
/// columns of the left Jacobian of the exponential.
[[nodiscard]] std::array<Vec3, 3> ballAxes(const JointDef& joint, const Vec3& angles);

/// The motion of every degree of freedom. Axes of a compound joint are taken in its order.
///
/// @pre model is the model pose of `dofs`; scales above a joint are uniform.
[[nodiscard]] std::vector<DofMotion> computeDofMotions(const Skeleton& skeleton,
                                                       std::span<const double> dofs,
                                                       const ModelPose& model);

/// A point fixed to a joint, in the joint's coordinates.
struct JointPoint {
    JointId joint = JointId::None;
    Vec3 point;
};

/// Derivative of a point's model position: one column per degree of freedom of the skeleton.
/// Columns of joints that are neither the point's own nor above it are zero.
using PointJacobian = std::vector<Vec3>;

[[nodiscard]] PointJacobian computePointJacobian(const Skeleton& skeleton,
                                                 std::span<const DofMotion> motions,
                                                 const ModelPose& model, const JointPoint& point);

/// The geometric Jacobian from the coordinates alone.
[[nodiscard]] PointJacobian computePointJacobian(const Skeleton& skeleton,
                                                 std::span<const double> dofs,
                                                 const JointPoint& point);

/// The same by dual numbers through forward kinematics, for any scale.
[[nodiscard]] PointJacobian differentiatePoint(const Skeleton& skeleton,
                                               std::span<const double> dofs,
                                               const JointPoint& point);

/// The same by central differences with this step.
[[nodiscard]] PointJacobian estimatePointJacobian(const Skeleton& skeleton,
                                                  std::span<const double> dofs,
                                                  const JointPoint& point, double step = 1e-6);

}  // namespace ulna
