// SPDX-License-Identifier: Apache-2.0

// A goal for two limbs that must not meet: an arm beside the trunk, legs that do not cross, a prop
// away from the face.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

/// Everything within `radius` of a line segment, fixed to a joint. A segment of length zero is a
/// ball.
struct Capsule {
    JointId joint = JointId::None;
    Vec3 start = {};      ///< of the segment, in the joint's coordinates
    Vec3 end = {};        ///< likewise
    double radius = 0.0;  ///< in the joint's coordinates: scaled with it
};

/// The surfaces of two capsules stay at least `margin` apart. Residual: min(0, distance between the
/// segments - both radii - margin), one row. Error: its absolute value.
///
/// The segments are pushed apart at their closest points. Where these are not unique:
/// - parallel segments beside one another (within 1e-12 radians) are held at the middle of the part
///   that they have in common;
/// - segments that meet are driven apart across both: b along the cross product of the directions
///   of a and b; where these are parallel, along one perpendicular, the same for the same segment;
/// - in the plane, where crossing segments cannot pass one another, the distance is minus the
///   shortest way by which one of them leaves the other.
struct KeepApartGoal {
    Capsule a = {};
    Capsule b = {};
    double margin = 0.0;
};

}  // namespace ulna
