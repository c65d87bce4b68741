// SPDX-License-Identifier: Apache-2.0

// FitRig: control points, and how far each moves the vertices of a shape. What a fit looks for is a
// ControlPose: the position and rotation of each point.
//
// A vertex with weights w_j on points of rest position o_j, rotation R_j and position d_j is at
//
//     x = sum over j of w_j (R_j (x_rest - o_j) + d_j),
//
// linear blend skinning for points; a vertex without weights stays at rest. Each point says
// what it may do, so that free handles, bones, whole skeletons and cages mix in one rig. For the
// fit see fit/fitter.h; for the joints of a Skeleton with their kinds and limits
// fit/skeleton_fit.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/quat.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skin/mesh.h"

namespace ulna {

enum class PointFreedom : std::uint8_t {
    Free,    ///< rotates and moves
    Cage,    ///< moves and never rotates: a vertex of a cage, whose coordinates are weights
    Driven,  ///< neither: the caller gives its position and rotation in the pose
};

/// One control point. Points are known by their index in FitRig::points.
struct ControlPoint {
    std::string name = {};
    Vec3 rest = {};  ///< its rest position, about which it rotates
    PointFreedom freedom = PointFreedom::Free;
    /// The point that carries this one, or -1: d = d_parent + R_parent (rest - rest_parent), as a
    /// joint is carried by its parent. It still rotates on its own unless it is a Cage point.
    std::int32_t parent = -1;
    bool pinned = false;  ///< its position is held where the pose has it; it may still rotate
};

/// Two points that move as one rigid body, such as the two ends of a bone: one rotation for both.
struct RigidPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
};

struct FitRig {
    bool planar = false;  ///< everything in the plane z = 0, rotating about z
    std::vector<ControlPoint> points = {};
    std::vector<RigidPair> rigid_pairs = {};
    std::vector<Vec3> vertices = {};  ///< at rest
    SkinWeights weights = {};  ///< a row per vertex; an influence's joint is the index of a point
    /// The weight of every influence of `weights`, in their order, where float is not enough: a
    /// rig cannot follow a shape nearer than its weights are exact. Empty: those of `weights`.
    std::vector<double> exact_weights = {};
    std::vector<double> masses = {};  ///< how much each vertex counts; empty: 1 each
};

/// The first thing that is invalid in a rig: sizes that do not match, values that are not finite, a
/// parent that does not exist, a cycle, a rigid group that is carried by two points, a driven point
/// with a parent or a pin, a pair of a driven or cage point with a free one, and, in a planar rig,
/// anything outside the plane.
[[nodiscard]] Status checkRig(const FitRig& rig);

/// The pairs, by index, that say nothing the pairs before them have not said: loops of rigid
/// pairs. A fit takes them as they are.
[[nodiscard]] std::vector<std::uint32_t> redundantPairs(const FitRig& rig);

/// The position of each control point and its rotation from rest. A plain state.
struct ControlPose {
    std::vector<Quat> rotations = {};
    std::vector<Vec3> positions = {};

    friend bool operator==(const ControlPose&, const ControlPose&) = default;
};

/// Every point at rest.
[[nodiscard]] ControlPose restControlPose(const FitRig& rig);

/// Moves carried points to where their parents carry them and gives the members of rigid groups the
/// motion of their first. A pose made by a fit is already so.
void applyHierarchy(const FitRig& rig, ControlPose& pose);

/// Where the vertices are in a pose, by the formula above as it stands. Positions are taken as the
/// pose has them: see applyHierarchy.
/// @pre pose has a rotation and a position per point.
[[nodiscard]] std::vector<Vec3> computeVertices(const FitRig& rig, const ControlPose& pose);

/// A rig whose points are the joints of a skeleton, in its order: each rotates about its position
/// in the bind pose and carries its descendants; the roots also move. Kinds and limits of joints
/// are not part of it: see fit/skeleton_fit.h. More points may be added, and weights on them.
///
/// Errors: a mesh without a row of weights per vertex.
[[nodiscard]] Result<FitRig> makeFitRig(const Skeleton& skeleton, const Mesh& mesh);

/// The pose of a skeleton in which its joints are as the first points of a pose of makeFitRig's
/// rig. Translations follow the bind pose; scales are those of the rest pose.
[[nodiscard]] Pose makePose(const Skeleton& skeleton, const Mesh& mesh, const ControlPose& control);
/// The inverse: what a pose of the skeleton does to its joints as control points.
[[nodiscard]] ControlPose makeControlPose(const Skeleton& skeleton, const Mesh& mesh,
                                          const Pose& pose);

}  // namespace ulna
