// SPDX-License-Identifier: Apache-2.0

// What vertices leave open of a fit's coordinates: the rank of their Gauss-Newton matrix, and the
// points that take part in its null space.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/report.h"
#include "ulna/math/sparse_cholesky.h"

namespace ulna::fit::detail {

/// A coordinate counts as determined where this part of its own diagonal is left once the others
/// are eliminated. Weights have seven digits, so rounding leaves less.
inline constexpr double kDetermined = 1e-7;

/// The share in a null vector, relative to the largest, that makes a point part of it.
inline constexpr double kTakesPart = 1e-3;

inline void addOnce(std::uint32_t point, std::vector<std::uint32_t>& points) {
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
}

/// Adds the points that take part in a null vector; pointOf(i) is the point of coordinate i.
template <class PointOf>
void addParticipants(std::span<const double> null_vector, const PointOf& pointOf,
                     std::vector<std::uint32_t>& points) {
    double largest = 0.0;
    for (const double share : null_vector) largest = std::max(largest, std::abs(share));
    for (std::size_t i = 0; i < null_vector.size(); ++i)
        if (std::abs(null_vector[i]) > kTakesPart * largest) addOnce(pointOf(i), points);
}

/// The joint that a coordinate of a skeleton belongs to, and the unit that it is measured in.
struct RankCoordinate {
    std::uint32_t joint = 0;
    double unit = 1.0;
};

class RankFinder {
  public:
    /// Fills rank, freedoms and undetermined of a report from the lower triangle of the matrix.
    /// @param weighed whether any vertex has mass.
    void find(std::span<const double> matrix, std::span<const RankCoordinate> coordinates,
              bool weighed, FitReport& report);

  private:
    SparseCholesky cholesky_;
    std::vector<double> damped_, null_;
};

}  // namespace ulna::fit::detail
