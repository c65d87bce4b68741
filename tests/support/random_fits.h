// SPDX-License-Identifier: Apache-2.0

// Random skeletons with a skin and a shape to fit them to: one problem per seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/skeleton_fit.h"

namespace ulna::test {

struct RandomFit {
    Skeleton rig;
    Mesh mesh = {};
    SkeletonFitOptions options = {};
    Pose start = {};
    Pose truth = {};     ///< a pose inside the limits
    bool exact = false;  ///< the targets are the truth's vertices; otherwise noise is added to them
    std::vector<Vec3> targets = {};
};
/// Joints of every kind and limit, up to 25. Locked joints are in the truth as in the start, so
/// that an exact shape can be met.
[[nodiscard]] RandomFit randomFit(std::uint64_t seed);

/// Linear blend skinning by plain matrices.
[[nodiscard]] std::vector<Vec3> plainSkin(const Skeleton& rig, const Mesh& mesh, const Pose& pose);

/// How far joints move from one pose to another: the largest angle, or distance in units of `size`.
[[nodiscard]] double largestMotion(const Skeleton& rig, const Pose& a, const Pose& b, double size);

}  // namespace ulna::test
