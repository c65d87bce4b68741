// SPDX-License-Identifier: Apache-2.0

// What a pose does to the space around each joint, and its split into a stretch and a rigid motion
// for dual quaternions. In double: what deforms rounds it.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna::skin::detail {

/// Below this length squared a transformed normal or tangent has no direction left: linear blend
/// has flattened it.
inline constexpr double kNoDirection2 = 1e-30;

/// The position of each joint in the bind pose, in the space of the mesh's positions.
[[nodiscard]] std::vector<Vec3> jointPositionsAtBind(std::span<const Affine> joint_from_bind);

/// posed_from_bind as `motion * stretch`: first a stretch that leaves the joint where it is, then
/// a rigid motion.
///
/// Kavan, Collins, Zara and O'Sullivan, "Geometric skinning with approximate dual quaternion
/// blending", 2008, section 4.2. The stretch is the symmetric factor of the polar decomposition,
/// about the joint's position rather than the origin: where joints that meet in one point are
/// blended, that point stays the one they rotate about, whatever their scales. A mirrored joint
/// counts as a stretch by negative factors.
struct JointMotion {
    Rigid motion;
    Affine stretch;
    bool stretches = false;  ///< otherwise `stretch` is the identity
};
[[nodiscard]] JointMotion splitMotion(const Affine& posed_from_bind, const Vec3& position_at_bind);

/// A rigid motion as a unit dual quaternion: d = (0, translation) * r / 2.
struct DualQuat {
    Quat real;
    Quat dual;
};
[[nodiscard]] DualQuat toDualQuat(const Rigid& motion);

}  // namespace ulna::skin::detail
