// SPDX-License-Identifier: Apache-2.0

// Skeletons and states that many tests share.
#pragma once

#include "ulna/math/random.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skeleton/state.h"

namespace ulna::test {

/// Builds or aborts with the reason: for definitions the test knows to be right.
Skeleton build(std::vector<JointDef> joints, SkeletonOptions options = {});

/// A joint with everything at its default but these.
JointDef joint(std::string name, std::string parent, JointKind kind, Vec3 offset);

/// A tree with one joint of every kind, all twelve Euler orders, rotation vectors, rest rotations
/// and two roots.
Skeleton everyKind();

/// A planar chain of hinges with these lengths; joints J0, J1, ..., then Tip.
Skeleton planarChain(std::span<const double> lengths);

/// Numbers in [-range, range].
DofVector randomDofs(const Skeleton& skeleton, Random& random, double range);

}  // namespace ulna::test
