// SPDX-License-Identifier: Apache-2.0

// The method behind IkMethod::Auto on poses, bare: for parts of a solve that are solves themselves.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/auto_method.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/report.h"

namespace ulna::ik::detail {

class PoseSolver {
  public:
    /// @param options natural poses and methods do not count.
    [[nodiscard]] Status build(const Skeleton& skeleton, std::vector<IkGoal> goals,
                               IkOptions options);

    /// Targets, weights and switches may change between solves.
    [[nodiscard]] std::span<IkGoal> goals() { return problem_.goals(); }

    /// Solves from a pose that is finite and leaves the answer there; the cost that is left.
    double solve(Pose& pose);
    [[nodiscard]] Outcome outcome() const { return outcome_; }

  private:
    Problem problem_;
    AutoMethod method_;
    Evaluation now_;
    IkReport report_;
    Outcome outcome_ = Outcome::Stalled;
};

}  // namespace ulna::ik::detail
