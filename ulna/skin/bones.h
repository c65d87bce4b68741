// SPDX-License-Identifier: Apache-2.0

// The bones of a skeleton as segments in the space of a mesh: what weights are made from.
#pragma once

#include <vector>

#include "ulna/skin/mesh.h"

namespace ulna {

/// From a joint to one of its children, which may be an End Site. A leaf that is no End Site has a
/// bone to its stated tip, or one of no length.
struct BoneSegment {
    JointId joint = JointId::None;  ///< the one that moves what is weighted to the bone
    Vec3 tail = {};
    Vec3 tip = {};
    double radius = 0.0;  ///< the joint's own, in the mesh's unit; 0 where the skeleton states none
};

/// The bones at bind, in the space of the mesh's positions, by joint. A joint has a bone for each
/// child; End Sites have none.
[[nodiscard]] std::vector<BoneSegment> makeBoneSegments(const Skeleton& skeleton, const Mesh& mesh);

/// The point of the segment from `a` to `b` that is closest to `p`: a + t (b - a) with
/// t = <p - a, b - a> / <b - a, b - a> clamped to [0, 1]; `a` where both are one point.
[[nodiscard]] Vec3 closestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b);

}  // namespace ulna
