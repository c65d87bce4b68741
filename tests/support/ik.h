// SPDX-License-Identifier: Apache-2.0

// Problems and judges that the tests of inverse kinematics share.
#pragma once

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/ik/solver.h"

namespace ulna::test {

/// Where a person's limbs end.
inline constexpr const char* kEnds[] = {"LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"};

/// A straight chain of ball joints B0, B1, ... along y, each 1 / bones long, then a fixed End.
Skeleton ballChain(int bones);

/// A person with every kind of limit: a free root, balls with angles bounded at the spine and hips,
/// cones at the shoulders, hinges at knees and elbows. Hands and feet are fixed joints.
Skeleton limitedPerson();

/// Numbers within the limits: anywhere in a range, small where there is none.
DofVector allowedDofs(const Skeleton& skeleton, Random& random);

/// The error of a goal by forward kinematics alone: distance or angle.
double errorByFk(const Skeleton& skeleton, std::span<const double> dofs, const PositionGoal& goal);
double errorByFk(const Skeleton& skeleton, std::span<const double> dofs,
                 const OrientationGoal& goal);

/// The largest difference of two vectors of numbers.
double largestDifference(std::span<const double> a, std::span<const double> b);

/// Solves or fails the running test.
IkReport mustSolve(const Skeleton& skeleton, const std::vector<IkGoal>& goals,
                   const IkOptions& options, DofVector& dofs);

/// A position goal for a joint by name.
IkGoal reachFor(const Skeleton& skeleton, const char* joint, const Vec3& target, int level = 1);

}  // namespace ulna::test
