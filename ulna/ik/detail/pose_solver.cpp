// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/pose_solver.h"

#include <utility>

namespace ulna::ik::detail {

Status PoseSolver::build(const Skeleton& skeleton, std::vector<IkGoal> goals, IkOptions options) {
    if (Status status = problem_.build(skeleton, std::move(goals), std::move(options)); !status)
        return status;
    descent_.build(problem_);
    problem_.size(now_);
    problem_.countRevolutions(false);
    return Done{};
}

void PoseSolver::solve(const DescentLimits& limits, Pose& pose) {
    const Mechanism& mechanism = problem_.mechanism();
    if (!problem_.isSound()) return;
    problem_.begin(pose);
    mechanism.load(pose, now_.at);
    mechanism.clamp(now_.at);
    problem_.evaluate(now_);
    report_.iterations = 0;
    (void)descent_.descend(problem_, now_, limits, report_);
    mechanism.store(now_.at, pose);
}

}  // namespace ulna::ik::detail
