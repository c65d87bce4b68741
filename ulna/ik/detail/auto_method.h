// SPDX-License-Identifier: Apache-2.0

// IkMethod::Auto: attempts from several starts, then rest at a minimum, then level 2.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/ik/detail/fabrik.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/newton_polish.h"
#include "ulna/ik/detail/second_level.h"

namespace ulna::ik::detail {

class AutoMethod {
  public:
    void build(const Problem& problem);

    /// Solves from `now`, which is evaluated. Restarts are chosen by the problem's number.
    ///
    /// What does not come to rest is solved again from where it ended, in a few rounds; the answer
    /// is the first pose that another round does not improve by a part that is worth it. So it
    /// stays where it is when it is solved again, whatever kept it from resting.
    Outcome solve(Problem& problem, std::uint64_t problem_number, Evaluation& now,
                  IkReport& report);

    /// One attempt of it from `now`, without what follows.
    Outcome attempt(Problem& problem, Evaluation& now, const DescentLimits& limits,
                    IkReport& report);

  private:
    // Where a goal was when the approach began, and where it is to go.
    struct Approach {
        Vec3 point, target;
        Quat rotation, target_rotation;
    };

    // What an answer costs, the most important first.
    struct Costs {
        bool met = false;  // every goal, within its tolerance
        double first = 0.0, rest = 0.0;
    };
    [[nodiscard]] static Costs costsOf(const Problem& problem, const Evaluation& e);
    [[nodiscard]] static bool isBetter(const Problem& problem, const Costs& before,
                                       const Costs& after);

    [[nodiscard]] double movedBy(const Problem& problem, const Evaluation& now) const;

    Outcome solveOnce(Problem& problem, std::uint64_t problem_number, Evaluation& now,
                      IkReport& report);
    void approach(Problem& problem, Evaluation& now, IkReport& report);
    [[nodiscard]] int beginApproach(const Problem& problem, const Evaluation& now);
    void moveTargets(Problem& problem, int move, int moves);
    Outcome solveFirst(Problem& problem, std::uint64_t problem_number, double enough,
                       Evaluation& now, IkReport& report);
    Outcome solveSecond(Problem& problem, Evaluation& now, IkReport& report);

    LeastSquares descent_;
    NewtonPolish polish_;
    SecondLevel second_;
    Fabrik fabrik_;
    bool fabrik_first_ = false;
    MechanismState start_;    // of this round
    MechanismState restart_;  // what restarts take their revolutions from
    int iterations_before_ = 0;
    Evaluation best_;
    std::vector<Approach> approach_;  // per goal row
};

}  // namespace ulna::ik::detail
