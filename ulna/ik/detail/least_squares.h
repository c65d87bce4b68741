// SPDX-License-Identifier: Apache-2.0

// The Levenberg-Marquardt iteration behind IkMethod::Auto.
//
// The damping is proportional to the cost, steps are judged by the true cost, and limits are inside
// the step (detail/damped_step.h). Where it ends away from the goals, detail/newton_polish.h
// carries the answer to rest; goals of level 2 are for detail/second_level.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/bounded_gradient.h"
#include "ulna/ik/detail/damped_step.h"
#include "ulna/ik/detail/damping.h"
#include "ulna/ik/detail/outcome.h"
#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

/// When a descent ends.
struct DescentLimits {
    int max_iterations = kUsualSteps;
    double enough = 1.0;  ///< the largest error, in tolerances
    /// It ends after so many steps in a row that lower the cost by less than this fraction; none:
    /// it is patient.
    int slow_steps = kSlowSteps;
    double slow_progress = kSlowProgress;
};

class LeastSquares {
  public:
    void build(const Problem& problem);

    /// One attempt from `now` (evaluated), which it improves. Counts iterations in the report, and
    /// leaves the stationarity of the last pose it looked at in report.gradient.
    Outcome descend(Problem& problem, Evaluation& now, const DescentLimits& limits,
                    IkReport& report);

    /// Whether `now` is nearly stationary: what a former solve has left.
    [[nodiscard]] bool isNearlyAtRest(Problem& problem, const Evaluation& now);

  private:
    static constexpr int kMostRejections = 12;

    BoundedGradient at_;
    DampedStep step_;
    Evaluation candidate_;
    std::vector<double> moves_;
};

/// Moves `from` along a step (per scaled coordinate) into `to`, evaluated; `moves` is room for it.
void takeStep(const Problem& problem, const Evaluation& from, std::span<const double> step,
              std::vector<double>& moves, Evaluation& to);

}  // namespace ulna::ik::detail
