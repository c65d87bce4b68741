// SPDX-License-Identifier: Apache-2.0

// FitRig: control points, and how far each moves the vertices of a shape. What a fit looks for is a
// ControlPose: where each point is and how it is turned.
//
// A vertex with weights w_j on points of rest place o_j, rotation R_j and position d_j is at
//
//     x = sum over j of w_j (R_j (x_rest - o_j) + d_j),
//
// linear blend skinning said for points; a vertex without weights stays at rest. Each point says
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
    Free,    ///< turns and moves
    Cage,    ///< moves and never turns: a vertex of a cage, with its coordinates as weights
    Driven,  ///< neither: the caller says in the pose where it is and how it is turned
};

/// One control point. Points are known by their number in FitRig::points.
struct ControlPoint {
    std::string name = {};
    Vec3 rest = {};  ///< its place at rest, about which it turns
    PointFreedom freedom = PointFreedom::Free;
    /// The point that carries this one, or -1: d = d_parent + R_parent (rest - rest_parent), as a
    /// joint hangs from the joint above it. It still turns on its own unless it is a Cage point.
    std::int32_t parent = -1;
    bool pinned = false;  ///< its position is held where the pose has it; it may still turn
};

/// Two points that move as one rigid body, such as the two ends of a bone: one rotation for both.
struct RigidPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
};

struct FitRig {
    bool planar = false;  ///< everything in the plane z = 0, turning about z
    std::vector<ControlPoint> points = {};
    std::vector<RigidPair> rigid_pairs = {};
    std::vector<Vec3> vertices = {};  ///< at rest
    SkinWeights weights = {};  ///< a row per vertex; an influence's joint is a point's number
    std::vector<double> masses = {};  ///< how much each vertex counts; empty: 1 each
};

/// What is wrong with a rig: sizes that do not match, numbers that are not finite, a parent that
/// does not exist, a cycle, a rigid group that hangs from two points, a driven point with a parent
/// or a pin, a pair of a driven or cage point with a free one, in the plane anything that leaves
/// it.
[[nodiscard]] Status checkRig(const FitRig& rig);

/// The pairs, by number, that say nothing the pairs before them have not said: loops of rigid
/// pairs. A fit takes them as they are.
[[nodiscard]] std::vector<std::uint32_t> redundantPairs(const FitRig& rig);

/// Where each control point is and how it is turned from rest. A plain state.
struct ControlPose {
    std::vector<Quat> rotations = {};
    std::vector<Vec3> positions = {};

    friend bool operator==(const ControlPose&, const ControlPose&) = default;
};

/// Every point at rest.
[[nodiscard]] ControlPose restControlPose(const FitRig& rig);

/// Puts carried points where their parents carry them and gives the members of rigid groups the
/// motion of their first. A pose made by a fit is already so.
void applyHierarchy(const FitRig& rig, ControlPose& pose);

/// Where the vertices are in a pose, by the formula above as it stands. Positions are taken as the
/// pose has them: see applyHierarchy.
/// @pre pose has a rotation and a position per point.
[[nodiscard]] std::vector<Vec3> computeVertices(const FitRig& rig, const ControlPose& pose);

/// A rig whose points are the joints of a skeleton, in its order: each turns about its place at
/// bind and carries those below it; the roots also move. Kinds and limits of joints are not part of
/// it: see fit/skeleton_fit.h. More points may be added, and weights on them.
///
/// Errors: a mesh without a row of weights per vertex.
[[nodiscard]] Result<FitRig> makeFitRig(const Skeleton& skeleton, const Mesh& mesh);

/// The pose of a skeleton in which its joints are as the first points of a pose of makeFitRig's
/// rig. Translations follow the places at bind; scales are as at rest.
[[nodiscard]] Pose makePose(const Skeleton& skeleton, const Mesh& mesh, const ControlPose& control);
/// The inverse: what a pose of the skeleton does to its joints as control points.
[[nodiscard]] ControlPose makeControlPose(const Skeleton& skeleton, const Mesh& mesh,
                                          const Pose& pose);

}  // namespace ulna
