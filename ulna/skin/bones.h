// SPDX-License-Identifier: Apache-2.0

// The bones of a skeleton as line segments in the space of a mesh: automatic weights use them.
#pragma once

#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna {

/// A bone goes from a joint to one of its children, which may be an End Site. A leaf joint that is
/// not an End Site has a bone to its tip, or one of length zero if the skeleton states no tip.
struct BoneSegment {
    JointId joint = JointId::None;  ///< moves the vertices that are weighted to the bone
    Vec3 tail = {};
    Vec3 tip = {};
    double radius = 0.0;  ///< of the joint, in the mesh's unit; 0 if the skeleton states none
};

/// The bones in the bind pose, in the space of the mesh's positions, in the order of the joints. A
/// joint has a bone for each child; End Sites have none.
[[nodiscard]] std::vector<BoneSegment> makeBoneSegments(const Skeleton& skeleton, const Mesh& mesh);

/// The point of the segment from `a` to `b` that is closest to `p`: a + t (b - a) with
/// t = <p - a, b - a> / <b - a, b - a> clamped to [0, 1]; `a` if a and b coincide.
[[nodiscard]] Vec3 closestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b);

}  // namespace ulna
