// SPDX-License-Identifier: Apache-2.0

// The Levenberg-Marquardt core behind IkMethod::Auto.
//
// Damping proportional to the cost, steps judged by the true cost, limits inside the step: a
// coordinate at a bound that the gradient pushes outwards is frozen, one that a step would carry
// past its bound is fixed there and the others are solved again. The step comes from the small dual
// system (rows x rows), or from a recursion over the tree when there are many rows. Where the
// gradient vanishes away from the goals, exact second derivatives tell a minimum from a saddle (a
// straight limb) and carry the answer to rest.
#pragma once

#include <vector>

#include "ulna/ik/detail/dense.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/tree_step.h"

namespace ulna::detail {

enum class Outcome : std::uint8_t { Reached, Stationary, Stalled, MaxIterations };

class LeastSquares {
  public:
    void build(const Problem& problem);

    /// One attempt from `now` (evaluated), which it improves until the largest error is `enough`
    /// tolerances. Counts iterations in the report.
    Outcome descend(Problem& problem, Evaluation& now, int max_iterations, IkReport& report,
                    double enough = 1.0);

    /// Carries `now` to a stationary point nearby that is a minimum, by exact second derivatives.
    Outcome polish(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);

    /// Lowers level 2 as far as level 1, which `now` has solved, allows.
    Outcome descendSecond(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);

    /// The stationarity of the last pose looked at.
    [[nodiscard]] double gradient() const { return stationarity_; }

    /// Whether report.history is filled.
    void recordHistory(bool on) { options_history_ = on; }

  private:
    enum State : std::uint8_t { Free, Blocked, Fixed };

    Outcome comeToRest(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);
    void prepare(Problem& problem, const Evaluation& now, int levels);
    bool solveStep(Problem& problem, const Evaluation& now, double damping);
    bool solveDual(Problem& problem, double damping);
    bool fixAtBounds(Problem& problem);
    void tryStep(Problem& problem, const Evaluation& now);
    bool solveSecond(Problem& problem, const Evaluation& now, double damping);
    void projectSecond(Problem& problem, const Evaluation& now);
    void mostNegative(std::size_t count);
    void computeHessian(const Problem& problem, const Evaluation& now);
    void estimateHessian(Problem& problem, const Evaluation& now);

    Evaluation candidate_, trial_;
    TreeStep tree_;
    SymmetricEigen eigen_;
    std::vector<double> gradient_, down_, up_, step_, moves_, pull_, divide_, to_bound_;
    std::vector<std::uint8_t> state_;
    std::vector<double> dual_, factor_, rhs_, column_;
    std::vector<std::size_t> free_;
    std::vector<double> hessian_, newton_, newton_rhs_;
    std::vector<double> level_one_, level_two_, first_rhs_, first_solution_, second_;
    double stationarity_ = 0.0;
    bool use_tree_ = false;
    bool newton_steps_ = false;  // coming to rest: the Jacobian is needed, the dual system is not
    bool fixed_any_ = false;
    bool options_history_ = false;
};

}  // namespace ulna::detail
