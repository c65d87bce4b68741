// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics: from goals for where things should be to a pose.
//
// Give a skeleton, goals (ik/goal.h) and a start; get degrees of freedom inside the joint limits
// and a report (ik/report.h) of how it went, judged goal by goal. The default method solves whole
// bodies with many goals; the classical methods are here to be compared and for special uses
// (ik/options.h, docs/ik). For many problems on one skeleton see ik/batch.h; for clips ik/clip.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ulna/ik/goal.h"
#include "ulna/ik/options.h"
#include "ulna/ik/report.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skeleton/state.h"

namespace ulna {

/// A problem set up once and solved many times: after its first solve it allocates nothing (levels
/// and pinv: up to 48 rows; natural poses: some). Gives the same answers as the free function. A
/// solve changes it, so it is for one thread at a time. A copy has everything of its own but the
/// skeleton, gives the same answers and can be used by another thread.
class IkSolver {
  public:
    /// Sets a problem up. Errors name the goal or the joint: a goal that makes no sense, a scale
    /// that is not uniform, a method that cannot do such goals, a chain that holds no goal.
    ///
    /// @pre skeleton outlives the solver.
    [[nodiscard]] static Result<IkSolver> make(const Skeleton& skeleton, std::vector<IkGoal> goals,
                                               IkOptions options = {});
    IkSolver(const IkSolver& other);
    IkSolver& operator=(const IkSolver& other);
    IkSolver(IkSolver&&) noexcept;
    IkSolver& operator=(IkSolver&&) noexcept;
    ~IkSolver();

    /// The goals, to move their targets, reweigh them or switch them between solves. Their kinds,
    /// joints, levels and points (in the joint's coordinates) must stay.
    [[nodiscard]] std::span<IkGoal> goals();
    [[nodiscard]] std::span<const IkGoal> goals() const;

    /// Translations of joints that do not slide, and scales, as this pose has them; rest by
    /// default. An error names a joint whose scale is not uniform.
    [[nodiscard]] Status setBase(const Pose& pose);

    /// Replaces IkOptions::budget: a new deadline before every solve, say.
    void setBudget(Budget budget);

    /// Which of the random restarts this problem gets, so that equal problems in a batch may
    /// differ.
    void setProblemNumber(std::uint64_t number);

    /// Solves from the degrees of freedom in `dofs`, clamped to their limits first, and leaves the
    /// answer there: inside its limits to 1e-9, whatever became of the goals. The report lives
    /// until the next solve. Same input, same answer.
    /// @pre dofs.size() == skeleton.dofCount().
    const IkReport& solve(std::span<double> dofs);

    /// Solves from a pose and leaves the answer there: rotations of balls without limits on their
    /// angles are taken and given as they are, so nothing is lost or spent on angles. Stretch and
    /// scale are the pose's own. A pose that is not finite, or scaled differently along its axes,
    /// is left alone (IkStatus::BadGoal). Only joints above the goals are looked at or clamped.
    /// @pre pose has one transform per joint of skeleton.
    const IkReport& solve(Pose& pose);

    /// Of the last solve.
    [[nodiscard]] const IkReport& report() const;

    /// The positions tolerance in use, and the reach: the longest way from a root to a goal's body.
    [[nodiscard]] double positionTolerance() const;
    [[nodiscard]] double reach() const;

  private:
    struct State;
    explicit IkSolver(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Solves one problem; the error is that of IkSolver::make.
[[nodiscard]] Result<IkReport> solveIk(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                       const IkOptions& options, DofVector& dofs);

}  // namespace ulna
