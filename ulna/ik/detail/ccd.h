// SPDX-License-Identifier: Apache-2.0

// Cyclic coordinate descent: each link in turn is turned to the best it can do alone.
//
// A sweep is linear in the number of joints. From the end to the root no link has moved yet when
// its turn comes, so its frame is that of the sweep's start and only the goals' points are carried
// along; from the root to the end frames are brought up to date on the way.
#pragma once

#include <vector>

#include "ulna/ik/detail/aim.h"
#include "ulna/ik/detail/outcome.h"
#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

class Ccd {
  public:
    void build(const Problem& problem);
    Outcome solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);

    /// One sweep over all links; `now` must be evaluated and its coordinates are changed.
    void sweep(const Problem& problem, Evaluation& now);

  private:
    void turnLink(const Problem& problem, std::size_t link, const RigidFrame& frame,
                  MechanismState& at);

    Aim aim_;
    std::vector<std::size_t> first_row_;  // per link, into rows_; one more than links
    std::vector<std::size_t> rows_;       // goals below each link
    std::vector<Vec3> points_;            // per goal row: where its point is by now
    std::vector<Pull> pulls_;
};

}  // namespace ulna::ik::detail
