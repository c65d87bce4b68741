// SPDX-License-Identifier: Apache-2.0

// What vertices leave open of a skeleton's coordinates: the rank of their Gauss-Newton matrix.
#pragma once

#include <span>
#include <vector>

#include "ulna/fit/detail/skeleton_moves.h"
#include "ulna/fit/detail/sparse_cholesky.h"
#include "ulna/fit/report.h"

namespace ulna::fit::detail {

class RankFinder {
  public:
    explicit RankFinder(std::size_t coordinates = 0);

    /// Fills rank, freedoms and undetermined of a report. Slides are measured in `size`.
    /// @param weighed whether any vertex has mass.
    void find(std::span<const double> matrix, std::span<const Move> moves, double size,
              bool weighed, FitReport& report);

  private:
    SparseCholesky cholesky_;
    std::vector<double> damped_, null_;
};

}  // namespace ulna::fit::detail
