// SPDX-License-Identifier: Apache-2.0

// The classical Jacobian methods, each itself: a step by its own formula, bounds by clamping, no
// second thoughts. They are here to be compared with the default and to be learnt from.
#pragma once

#include <vector>

#include "ulna/ik/detail/bounded_gradient.h"
#include "ulna/ik/detail/outcome.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/math/dense.h"

namespace ulna::ik::detail {

class Classic {
  public:
    void build(const Problem& problem);

    /// Iterates problem.options().method from `now` (evaluated), which becomes the best pose met.
    /// Leaves the stationarity of the last pose it looked at in report.gradient.
    Outcome solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);

    /// The method's step at an evaluated pose, per coordinate, before bounds and line search.
    void computeStep(Problem& problem, const Evaluation& now, std::span<double> step);

  private:
    void linearize(Problem& problem, const Evaluation& now);
    void transposeStep(const Problem& problem, const Evaluation& now);
    void gradientStep(const Problem& problem);
    void pseudoinverseStep(Problem& problem, const Evaluation& now);
    void dampedStep(Problem& problem, const Evaluation& now);
    void assembleNormal(const Problem& problem);
    bool searchLine(Problem& problem, const Evaluation& now);
    void moveFixed(Problem& problem, const Evaluation& now);
    void adaptLength(Problem& problem, const Evaluation& now);
    bool advance(Problem& problem, const Evaluation& now);
    void moveTo(Problem& problem, const Evaluation& now, double factor);

    Evaluation candidate_, best_;
    SymmetricEigen eigen_;
    std::vector<double> gradient_, last_gradient_, down_, up_, step_, moves_, row_;
    std::vector<double> matrix_, rhs_, solution_;
    double length_ = 0.0;  // of the gradient methods' step
    double stationarity_ = 0.0;
    bool first_ = true;
};

}  // namespace ulna::ik::detail
