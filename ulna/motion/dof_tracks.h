// SPDX-License-Identifier: Apache-2.0

// Keys per degree of freedom: scalar tracks combined to tracks of joints.
#pragma once

#include <vector>

#include "ulna/core/result.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna {

/// The keys of one degree of freedom, in radians or units of length.
struct DofTrack {
    std::size_t dof = 0;
    Track<double> track;
};

/// The clip whose degrees of freedom follow these tracks. Coordinates without a track are zero, as
/// in the rest pose.
///
/// Each angle keeps its own curve. The displacements of one joint are combined to one curve of
/// vectors, equal to theirs up to rounding: it has keys at the times of all, with the tangents of
/// each. Errors: a joint whose coordinates are a rotation vector, which has no angles; and
/// displacements of one joint of which some are stepped and others not, or that behave differently
/// outside their keys.
/// @pre each degree of freedom has at most one track.
[[nodiscard]] Result<KeyedMotion> makeKeyedMotion(const Skeleton& skeleton,
                                                  const std::vector<DofTrack>& tracks);

}  // namespace ulna
