// SPDX-License-Identifier: Apache-2.0

// The second level of priority: goals met as far as the null space of the first level allows.
//
// Damped steps within the null space first, Newton's where they are slow; after each step level 1
// is brought back to what it was. Bodies of many coordinates have damped steps alone, from the dual
// system of their rows.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/damping.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/null_space.h"
#include "ulna/math/dense.h"

namespace ulna::ik::detail {

class SecondLevel {
  public:
    /// @pre problem.hasLevelTwo()
    void build(const Problem& problem);

    /// Lowers level 2 as far as level 1, which `now` has solved, allows. `descent` repairs level 1
    /// after each step. Leaves the stationarity of the last pose it looked at in report.gradient.
    Outcome descend(Problem& problem, Evaluation& now, int max_iterations, LeastSquares& descent,
                    IkReport& report);
    /// How many steps the last descent took.
    [[nodiscard]] int steps() const { return steps_; }

  private:
    // Squared singular values of level 1 below this part of the largest count as zero.
    static constexpr double kRankCutoff = 1e-10;

    // What a descent decides its next step by.
    struct Progress {
        Damping damping;
        double shift = 0.0;  // of Newton's steps
        int slow = 0;        // damped steps in a row with little progress
        int newton = 0;      // Newton's steps so far; they follow where damped steps are slow
        double kept = 0.0;   // the cost that level 1 must stay below
    };

    [[nodiscard]] static double costOf(const Evaluation& e) { return e.cost[1] + e.posture_cost; }
    void startAfresh(const Problem& problem, Progress& progress) const;
    double look(Problem& problem, const Evaluation& now);
    bool stepDamped(Problem& problem, const Evaluation& now, LeastSquares& descent,
                    Progress& progress);
    bool stepNewton(Problem& problem, const Evaluation& now, LeastSquares& descent,
                    Progress& progress);
    bool tryStep(Problem& problem, const Evaluation& now, std::span<const double> step, double kept,
                 LeastSquares& descent);
    void repair(Problem& problem, double kept);

    void assemble(Problem& problem);
    void projectGradient(Problem& problem, const Evaluation& e, std::span<double> gradient);
    void project(Problem& problem, const Evaluation& now);
    bool solveDamped(Problem& problem, const Evaluation& now, double damping);
    bool solveDampedOnce(Problem& problem, const Evaluation& now, double damping);

    bool small_ = true;  // few coordinates: null_space_ finds the steps, else what follows it
    NullSpaceStep null_space_;

    BoundedGradient at_;  // of level 2 within the null space of level 1
    std::vector<std::uint8_t> released_;

    SymmetricEigen eigen_;  // of level 1's part of the dual system
    std::vector<double> dual_, level_one_, level_two_, coupling_;
    std::vector<double> rows_, rhs_;                               // per row
    std::vector<double> first_rhs_, multipliers_;                  // per row of level 1; per row
    std::vector<double> step_, moves_, pull_, divide_, to_limit_;  // per coordinate

    Evaluation trial_, repaired_, before_repair_;
    IkReport repair_;  // of level 1 while level 2 moves
    int steps_ = 0;
};

}  // namespace ulna::ik::detail
