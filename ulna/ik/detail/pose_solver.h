// SPDX-License-Identifier: Apache-2.0

// The descent behind IkMethod::Auto on poses, bare: for parts of a solve that are solves
// themselves.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/report.h"

namespace ulna::ik::detail {

class PoseSolver {
  public:
    /// @param options natural poses, methods and restarts do not count.
    [[nodiscard]] Status build(const Skeleton& skeleton, std::vector<IkGoal> goals,
                               IkOptions options);

    /// Targets, weights and switches may change between solves.
    [[nodiscard]] std::span<IkGoal> goals() { return problem_.goals(); }

    /// Descends from a pose that is finite, and leaves the answer there.
    void solve(const DescentLimits& limits, Pose& pose);

  private:
    Problem problem_;
    LeastSquares descent_;
    Evaluation now_;
    IkReport report_;
};

}  // namespace ulna::ik::detail
