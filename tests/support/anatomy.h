// SPDX-License-Identifier: Apache-2.0

// What the tests of human ranges share.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "support/humanoid.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skeleton/state.h"

namespace ulna::test {

/// The rig, or a failed test with the reason. By default the rest pose is the T-pose.
AnatomicalRig makeRig(const Skeleton& skeleton, const Pose& t_pose);
AnatomicalRig makeRig(const Skeleton& skeleton);

/// The first of nameFamilies().
NameFamily mixamo();

std::map<std::string, std::string> partsByName(const AnatomicalRig& rig);

/// The first joint of a part; a failed test when there is none.
JointId findPart(const AnatomicalRig& rig, std::string_view part);

/// The degree of freedom of a ball about an anatomical axis.
enum class AnatomicalAxis { Flexion = 0, Twist = 1, Sideways = 2 };
std::size_t dofOf(const Skeleton& skeleton, JointId joint, AnatomicalAxis movement);

/// Where a joint is for these angles, in model space.
Vec3 placeOf(const AnatomicalRig& rig, const DofVector& dofs, JointId joint);

/// Every joint that turns, turned by up to `angle` and moved by up to `stretch`.
Pose randomPose(const Skeleton& skeleton, Random& random, double angle, double stretch);

/// limitExcess of one joint.
double excessAt(const Skeleton& skeleton, const DofVector& dofs, JointId joint);

}  // namespace ulna::test
