// SPDX-License-Identifier: Apache-2.0

// Tying a surface to a skeleton: in which pose the skeleton is inside the surface, and the weights
// that make the surface follow the joints.
//
// A surface of its own file (OBJ, PLY, another character's mesh) says nothing of joints. It is made
// for the rest pose mostly; but a BVH file has its hips at the origin while at rest, and a user may
// have posed the character to fit. The pose that has the most joints inside the surface is taken.
#pragma once

#include <cstdint>

#include "ulna/core/result.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// Which pose of the skeleton fits a surface.
enum class FittingPose : std::uint8_t {
    Rest,     ///< the rest pose
    Present,  ///< the pose that the character is in
    Raised,   ///< the rest pose, raised or lowered along the up axis
};

struct SurfaceFit {
    FittingPose how = FittingPose::Rest;
    Pose pose = {};           ///< in which the skeleton is inside the surface
    double rise = 0.0;        ///< by how much the rest pose is raised; below 0: lowered
    std::size_t outside = 0;  ///< joints that lie outside the surface all the same
};

struct SurfaceFitOptions {
    UpAxis up = UpAxis::Y;
    const Pose* present = nullptr;  ///< the pose the character is in; null: no other than rest
};

/// The pose that has the skeleton inside a surface. The rest pose is taken where it has nearly as
/// many joints inside as any other. A mesh without triangles, or a skeleton without extent, gives
/// the rest pose: there is nothing to measure by.
///
/// Errors, each with advice: a surface far larger or smaller than the skeleton, which is in another
/// unit, and one with no joint inside.
/// @pre findFault(mesh) finds nothing wrong (skin/check_mesh.h).
[[nodiscard]] Result<SurfaceFit> fitToSurface(const Skeleton& skeleton, const Mesh& mesh,
                                              const SurfaceFitOptions& options = {});

/// Binds a mesh in a pose: there it is as its file has it. Weights stay.
void bindMesh(const Skeleton& skeleton, const Pose& pose, Mesh& mesh);

/// How weights are made.
enum class WeightMethod : std::uint8_t { Heat, Distance };

struct WeightOptions {
    WeightMethod method = WeightMethod::Heat;
    double stiffness = 1.0;     ///< of bone heat, within the bounds of BoneHeatOptions
    double radius_scale = 2.5;  ///< of distances: how far bones reach, in their radii
    std::size_t most = 4;       ///< influences that a vertex keeps; 0 means all
    unsigned threads = 1;       ///< 0 means one per core; the result does not depend on it
    Progress progress = {};
};

struct MadeWeights {
    SkinWeights weights = {};
    BoneHeatReport heat = {};  ///< of bone heat
    Warnings warnings = {};    ///< vertices that see no bone (if many), that no bone reaches, or
                               ///< that are far from the skeleton
};

/// Weights of a mesh for the joints of a skeleton, in the pose the mesh is bound in. Errors are
/// those of makeBoneHeatWeights, a stiffness out of its bounds, and a skeleton without joints.
[[nodiscard]] Result<MadeWeights> makeWeights(const Skeleton& skeleton, const Mesh& mesh,
                                              const WeightOptions& options = {});

/// What became of a surface that was tied.
struct TiedSurface {
    SurfaceFit fit = {};
    BoneHeatReport heat = {};
    bool had_weights = false;  ///< it was tied already and is left as it was
    Warnings warnings = {};
};

/// Ties a surface to a skeleton: finds the pose, binds the mesh in it and makes weights. A mesh
/// that has weights is left as it is. On an error the mesh is as it was.
[[nodiscard]] Result<TiedSurface> tieSurface(const Skeleton& skeleton,
                                             const SurfaceFitOptions& fitting,
                                             const WeightOptions& weighting, Mesh& mesh);

}  // namespace ulna
