// SPDX-License-Identifier: Apache-2.0

// Rigs, poses and shapes for the tests of fits.
#pragma once

#include <vector>

#include "ulna/fit/fitter.h"
#include "ulna/math/random.h"

namespace ulna::test {

/// So many control points by chance in a box about 2 in size, each hung from one before it and near
/// it if `tree`; vertices around them with weights that fall off with the distance to the nearest
/// four.
FitRig randomRig(std::size_t points, std::size_t vertices, bool tree, Random& random,
                 bool planar = false);

/// Weights of vertices that fall off with the distance to the nearest `most` points.
void weighByDistance(FitRig& rig, std::size_t most);

/// A chain of four points, nearly straight, pinned at both ends.
FitRig pinnedChain(Random& random);

/// Every point that may turn turned by up to `angle` relative to its parent, every one that may
/// move moved by up to `distance`.
ControlPose randomControlPose(const FitRig& rig, double angle, double distance, Random& random);

/// Builds or aborts with the reason.
Fitter makeFitter(const FitRig& rig, const FitOptions& options = {});

/// Root mean square distance of two shapes.
double rmsBetween(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

/// Largest angle between rotations of two poses.
double largestAngle(const ControlPose& a, const ControlPose& b);

/// A normal number of variance 1.
double normal(Random& random);
/// The shape with normal noise of this sigma per coordinate; in the plane if told so.
std::vector<Vec3> withNoise(std::vector<Vec3> shape, double sigma, Random& random,
                            bool planar = false);

}  // namespace ulna::test
