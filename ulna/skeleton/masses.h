// SPDX-License-Identifier: Apache-2.0

// Masses of a body, fixed to its joints: for its centre of mass, and for the goal that keeps it
// over the feet (ik/goals/balance.h).
#pragma once

#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// A mass that moves with a joint.
struct JointMass {
    JointId joint = JointId::None;
    double mass = 0.0;  ///< in any unit: only ratios matter
    Vec3 centre = {};   ///< of the mass, in the joint's coordinates
};

/// The masses of a human body on its joints, by their roles, with a sum of 1: head and neck 6.9 per
/// cent, trunk 43.5, and of each side upper arm 2.7, forearm 1.6, hand 0.6, thigh 14.2, shank 4.3,
/// foot 1.4 (P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, Journal
/// of Biomechanics 29, 1996). A segment without a joint of its own is carried by the nearest joint
/// above that has one, and the trunk is shared by the joints of the spine in proportion to their
/// bones. Of several characters in one skeleton, each has the same share.
///
/// Errors where the hips and both legs or both arms are not recognised.
/// @param map roles that overrule names and shape; may be null. For it see findBodyRoles.
[[nodiscard]] Result<std::vector<JointMass>> humanMasses(const Skeleton& skeleton,
                                                         const BodyMap* map = nullptr);

/// The centre of mass, in model space.
/// @pre the masses are of joints of the pose, and their sum is above zero.
[[nodiscard]] Vec3 centreOfMass(std::span<const JointMass> masses, const ModelPose& pose);

}  // namespace ulna
