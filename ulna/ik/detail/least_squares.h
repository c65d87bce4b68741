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

#include "ulna/ik/detail/damping.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/tree_step.h"
#include "ulna/math/dense.h"

namespace ulna::ik::detail {

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

    /// How many steps the last descendSecond took.
    [[nodiscard]] int secondSteps() const { return second_steps_; }

    /// The stationarity of the last pose looked at.
    [[nodiscard]] double gradient() const { return stationarity_; }
    void forget() { stationarity_ = 0.0; }

    /// Whether report.history is filled.
    void recordHistory(bool on) { record_history_ = on; }

  private:
    // Above this many rows the recursion over the tree is cheaper than the dual system.
    static constexpr std::size_t kDualRows = 36;

    static constexpr int kMostRejections = 12;
    // Relative to the squared reach: keeps the dual system definite where the cost is nearly zero.
    static constexpr double kDampingFloor = 1e-12;

    // Newton's steps near a minimum: dense up to this many coordinates.
    static constexpr std::size_t kNewtonColumns = 300;
    // Curvature counts as negative below this part of the largest.
    static constexpr double kNegative = 1e-6;

    // Squared singular values of level 1 below this part of the largest count as zero.
    static constexpr double kRankCutoff = 1e-10;

    // Directions that change nothing, such as a straight arm's twist, must not be taken far by
    // rounding.
    static constexpr double kLeastShift = 1e-7;
    // The analytic second derivatives know positions, orientations and plain joints only;
    // elsewhere, and where they do not bring the answer to rest in so many steps, differences of
    // the gradient take over.
    static constexpr int kAnalyticSteps = 60;
    static constexpr int kStepsOffSaddle = 25;

    // Shifts of the Hessian begin at this part of its largest entry: soft goals beside stiff ones
    // need no more.
    static constexpr double kFirstShift = 1e-6;

    // A pose is stationary when the gradient is below this part of what the residual could exert.
    static constexpr double kStationary = 1e-7;
    // Where steps no longer lower the cost, rounding has the last word on the gradient.
    static constexpr double kNearlyStationary = 1e-4;

    enum State : std::uint8_t { Free, Blocked, Fixed };

    Outcome comeToRest(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);
    void prepare(Problem& problem, const Evaluation& now);
    bool solveStep(Problem& problem, const Evaluation& now, double damping);
    bool solveDual(Problem& problem, double damping);
    bool fixAtBounds(Problem& problem);
    void tryStep(Problem& problem, const Evaluation& now);
    void assembleLevels(Problem& problem);
    bool solveSecond(Problem& problem, const Evaluation& now, double damping);
    bool solveSecondOnce(Problem& problem, const Evaluation& now, double damping);
    void projectSecond(Problem& problem, const Evaluation& now);
    void projectGradient(Problem& problem, const Evaluation& e, std::span<double> gradient);
    [[nodiscard]] bool isBlocked(std::size_t column) const;
    [[nodiscard]] bool isPushed(const Problem& problem, std::size_t column, double stiffest) const;
    [[nodiscard]] double roomAgainstGradient(std::size_t column) const;
    void computeSecondHessian(Problem& problem, const Evaluation& now);
    void computeProjector(const Problem& problem);
    void computeLagrangeHessian(Problem& problem, const Evaluation& now);
    void estimateSecondHessian(Problem& problem, const Evaluation& now);
    bool solveNewton(const Problem& problem, double shift);
    [[nodiscard]] double largestCurvature() const;
    void chooseFree(Problem& problem, const Evaluation& now, bool flat);
    bool trySecond(Problem& problem, const Evaluation& now, double kept);
    /// A bound of how fast the gradient can change along one coordinate.
    [[nodiscard]] static double stiffestCurvature(const Problem& problem, const Evaluation& now);
    void mostNegative();
    [[nodiscard]] static bool isAnalytic(const Problem& problem);
    void computeHessian(const Problem& problem, const Evaluation& now);
    void findAbove(const Problem& problem, const Problem::Row& row);
    void addGoalHessian(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addPointHessian(const Problem& problem, const Evaluation& now, const Problem::Row& row,
                         double weight, const Vec3& pull);
    void addTurnHessian(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    void addTurnBend(const Problem& problem, const Vec3& pull);
    [[nodiscard]] static bool shareBall(const Problem& problem, std::size_t a, std::size_t b);
    void estimateHessian(Problem& problem, const Evaluation& now);

    Evaluation candidate_, trial_;
    IkReport repair_;  // of level 1 while level 2 moves; nobody reads it
    TreeStep tree_;
    SymmetricEigen eigen_;
    std::vector<double> gradient_, down_, up_, step_, moves_, pull_, divide_, to_bound_;
    std::vector<std::uint8_t> state_, released_;
    std::vector<double> dual_, factor_, rhs_, column_;
    std::vector<std::size_t> free_, above_;
    std::vector<double> hessian_, newton_, newton_rhs_, projector_;
    std::vector<double> level_one_, level_two_, first_rhs_, first_solution_, second_;
    double stationarity_ = 0.0;
    int second_steps_ = 0;
    bool use_tree_ = false;
    bool newton_steps_ = false;  // coming to rest: the Jacobian is needed, the dual system is not
    bool fixed_any_ = false;
    bool patient_ = false;  // slow progress is no reason to end
    bool record_history_ = false;
};

}  // namespace ulna::ik::detail
