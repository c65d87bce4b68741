// SPDX-License-Identifier: Apache-2.0

// Coming to rest: Newton's method with exact second derivatives, for answers that miss their goals.
//
// Where the gradient vanishes away from the goals, second derivatives tell a minimum from a saddle
// (a straight limb) and carry the answer on.
#pragma once

#include <vector>

#include "ulna/ik/detail/cost_hessian.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/newton_step.h"

namespace ulna::ik::detail {

// What does not come to rest moves on only for a gain of this part of the cost.
inline constexpr double kWorthARound = 1e-3;

class NewtonPolish {
  public:
    void build(const Problem& problem);

    /// Carries `now` to a stationary point nearby that is a minimum. `descent` takes over where a
    /// saddle was left, and where there are too many coordinates for a dense system. Leaves the
    /// stationarity in report.gradient. What has not `moved` before and is stationary stays.
    Outcome solve(Problem& problem, Evaluation& now, bool moved, int max_iterations,
                  LeastSquares& descent, IkReport& report);

  private:
    /// Which coordinates are Newton's. Flat: where the gradient is flat, also those that stand at a
    /// limit without being pushed against it. ToLimits: those that are pushed to a limit nearby go
    /// there instead. Inside: all that are free.
    enum class Rule { Flat, ToLimits, Inside };

    bool chooseFree(Problem& problem, const Evaluation& now, Rule rule);
    void computeHessian(Problem& problem, const Evaluation& now, bool by_differences);
    bool takeNewton(Problem& problem, const Evaluation& now, bool flat, int most_tries,
                    double& shift);

    BoundedGradient at_;
    CostHessian hessian_;
    NewtonStep newton_;
    Evaluation candidate_;
    std::vector<double> moves_;
};

}  // namespace ulna::ik::detail
