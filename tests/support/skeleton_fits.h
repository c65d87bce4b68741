// SPDX-License-Identifier: Apache-2.0

// Skeletons with limits, their skins and poses, for the tests of their fits.
#pragma once

#include <vector>

#include "ulna/fit/skeleton_fit.h"
#include "ulna/math/random.h"

namespace ulna::test {

/// Vertices around every joint, with weights that fall off with the distance to the nearest joints.
Mesh meshAround(const Skeleton& skeleton, std::size_t vertices, Random& random);

/// Where the vertices are in a pose.
std::vector<Vec3> skinOf(const Skeleton& skeleton, const Mesh& mesh, const Pose& pose);

SkeletonFitter makeSkeletonFitter(const Skeleton& skeleton, const Mesh& mesh,
                                  const SkeletonFitOptions& options = {});

/// Shoulder in a cone, elbow a hinge, wrist with bounds on its angles, a free root.
Skeleton limitedArm();

/// Numbers by chance that its limits allow.
DofVector clampedDofs(const Skeleton& skeleton, Random& random);

}  // namespace ulna::test
