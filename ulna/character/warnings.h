// SPDX-License-Identifier: Apache-2.0

// What is worth a warning: the thresholds and sentences that every face of the program shares.
#pragma once

#include "ulna/core/diagnostic.h"
#include "ulna/skeleton/state.h"

namespace ulna {

/// What people may notice of a pose that is not quite kept: in radians, as a share of a scale, and
/// as a share of the body's size for lengths. It is far above the rounding of files, which write
/// six decimals or more, and far below what anyone sees.
inline constexpr double kNoticeable = 1e-6;

/// Warns of what degrees of freedom cannot hold of poses: `worst` has the largest residuals, as
/// computeDofs and computeDofClip find them.
[[nodiscard]] Warnings residualWarnings(const Skeleton& skeleton, const DofFit& worst);

/// Appends warnings to others.
void append(const Warnings& more, Warnings& warnings);

}  // namespace ulna
