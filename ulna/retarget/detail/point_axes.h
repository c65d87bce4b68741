// SPDX-License-Identifier: Apache-2.0

// Which way points are up, whether they are mirrored, and how large their unit is.
#pragma once

#include <span>

#include "ulna/retarget/detail/point_body.h"

namespace ulna::retarget::detail {

/// The axis along which points of the body rise as they do at rest, over all frames.
/// @param share of the rise that is along it; 1: all
[[nodiscard]] PointUp guessUp(const PointBody& body, std::span<const Vec3> positions,
                              std::span<const double> weights, double& share);

/// The rotation that takes the up of the points to that of the body.
[[nodiscard]] Quat modelFromPoints(const PointBody& body, PointUp up);

/// Whether most frames show toes and knees behind a body instead of before it: the points are of
/// a mirror image, or their left and right are exchanged.
[[nodiscard]] bool isMirrored(const PointBody& body, std::span<const Vec3> positions,
                              std::span<const double> weights);

/// The body's unit per unit of the points: by legs, else arms, else whatever both have. Powers of
/// ten where these alone lie between, when `metric`: people differ in size.
[[nodiscard]] double guessScale(const PointBody& body, std::span<const Vec3> positions,
                                std::span<const double> weights, bool metric);

}  // namespace ulna::retarget::detail
