// SPDX-License-Identifier: Apache-2.0

// Points cleaned in time: outliers left out, gaps filled, noise smoothed.
//
// Where a body's path is smooth is a matter of how fast people accelerate; how noisy its points
// are, bones tell. The path that is most likely under both minimises a sum of squares (Whittaker
// 1923; the discrete smoothing spline), forward and backward in time alike. Without noise it is
// the points themselves.
#pragma once

#include <span>
#include <vector>

#include "ulna/retarget/detail/point_body.h"

namespace ulna::retarget::detail {

/// The x that minimises sum w |x - y|^2 + bend sum |x'' |^2 + pull sum |x'|^2, with differences
/// from frame to frame; where all weights are zero, zeros.
/// @pre y and w have one value per frame
void smoothPath(std::span<const double> w, double bend, double pull, std::span<Vec3> y);

struct FilterOptions {
    double frame_time = 1.0 / 30.0;
    double size = 1.0;   ///< of a leg
    double noise = 0.0;  ///< standard deviation of a coordinate
    bool smooth = true;  ///< otherwise gaps are filled, and that is all
};

/// What is left of the noise when paths are smoothed.
[[nodiscard]] double remainingNoise(const FilterOptions& options);

/// How much positions count: those that were seen by their confidence, those that were filled in
/// less the farther the next one is that was seen.
/// @return as many as `weights`
[[nodiscard]] std::vector<double> filledWeights(std::size_t width, const FilterOptions& options,
                                                std::span<const double> weights);

/// Sets the weights of positions to zero that no bone allows.
/// @return how many
std::size_t leaveOutliers(std::span<const PointBone> bones, const FilterOptions& options,
                          std::size_t width, std::span<const Vec3> positions,
                          std::span<double> weights);

/// How fast a point accelerates, relative to others.
enum class PointPace : std::uint8_t {
    Hips,   ///< in space; all others move relative to them
    Trunk,  ///< and head
    Limb,   ///< elbows and knees
    End,    ///< hands and feet
};

/// Smooths all paths. @param positions frame by frame. @param paces per attachment
void filterPoints(std::span<const PointPace> paces, const FilterOptions& options,
                  std::span<const double> weights, std::span<Vec3> positions);

}  // namespace ulna::retarget::detail
