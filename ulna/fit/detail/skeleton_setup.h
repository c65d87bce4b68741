// SPDX-License-Identifier: Apache-2.0

// What of the fit of a skeleton depends on nothing but the skeleton, its skin and the options.
#pragma once

#include <vector>

#include "ulna/fit/detail/rank.h"
#include "ulna/fit/detail/skeleton_system.h"
#include "ulna/fit/detail/vertex_pack.h"
#include "ulna/fit/options.h"
#include "ulna/solve/mechanism.h"

namespace ulna::fit::detail {

struct SkeletonSetup {
    const Skeleton* skeleton = nullptr;
    Mesh bind;  // weights and bind matrices of the mesh, no more
    SkeletonFitOptions options;
    std::vector<Affine> joint_from_bind;
    FitRig rig;   // of joints as control points
    Vec3 origin;  // the middle of the rest vertices
    double size = 1.0;
    /// The vertices, and behind them one for every pinned joint.
    VertexPack pack;
    std::vector<double> masses;  // of the vertices
    double pin_mass = 0.0;       // of each pin
    Mechanism mechanism;
    std::vector<SystemColumn> columns;       // per coordinate of the mechanism
    std::vector<RankCoordinate> rank_units;  // the same

    [[nodiscard]] std::size_t vertexCount() const { return masses.size(); }
};

/// The errors are those of SkeletonFitter::make.
[[nodiscard]] Result<SkeletonSetup> makeSkeletonSetup(const Skeleton& skeleton, const Mesh& mesh,
                                                      SkeletonFitOptions options);

}  // namespace ulna::fit::detail
