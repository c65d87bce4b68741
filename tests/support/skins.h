// SPDX-License-Identifier: Apache-2.0

// Skeletons, meshes and poses for the tests of deformation.
#pragma once

#include <vector>

#include "ulna/math/random.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skin/mesh.h"

namespace ulna::test {

/// A tree of so many ball joints, each hung from one before it, about 2 in size; rest rotations by
/// chance.
Skeleton randomTree(std::size_t joints, Random& random);

/// Every joint turned, and the roots moved.
Pose turnedPose(const Skeleton& skeleton, Random& random);
/// Every joint turned, moved and scaled differently along its axes: products shear.
Pose shearedPose(const Skeleton& skeleton, Random& random);

/// So many influences of different joints, by chance; sorted by weight, sum 1.
std::vector<Influence> randomRow(std::size_t joints, std::size_t influences, Random& random);

/// Vertices by chance in a box of size 2, with normals and tangents, `influences` each.
Mesh randomMesh(std::size_t vertices, std::size_t joints, std::size_t influences, Random& random);
/// The same with 0 to `most` influences by chance.
Mesh mixedMesh(std::size_t vertices, std::size_t joints, std::size_t most, Random& random);

/// Positions and normals of a tube of radius 1 about the y axis, from y = 0 to 2; joints "lower" at
/// y = 0 and "upper" at y = 1 of `tubeSkeleton`, weights in proportion to height between 0.5 and
/// 1.5.
Skeleton tubeSkeleton();
Mesh tube();

/// The diagonal of the box around points.
double sizeOf(const std::vector<Vec3>& points);

inline Vec3 widened(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

}  // namespace ulna::test
