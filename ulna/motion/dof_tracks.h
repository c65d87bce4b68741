// SPDX-License-Identifier: Apache-2.0

// Keys per degree of freedom: tracks of single numbers put together to tracks of joints.
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

/// The clip whose degrees of freedom follow these tracks; those without a track stay zero where
/// another of their joint has one, and at rest otherwise.
///
/// Angles stay curves of their own. The displacements of one joint become one curve, the same to
/// rounding: where their keys differ in time it has the tangents of each at the times of all. An
/// error for a joint whose rotation is a vector, which has no angles, and where displacements of
/// one joint are stepped and not, or go on differently outside their keys.
/// @pre each degree of freedom at most once.
[[nodiscard]] Result<KeyedMotion> makeKeyedMotion(const Skeleton& skeleton,
                                                  const std::vector<DofTrack>& tracks);

}  // namespace ulna
