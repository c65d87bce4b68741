// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/pose_solver.h"

#include <utility>

namespace ulna::ik::detail {

Status PoseSolver::build(const Skeleton& skeleton, std::vector<IkGoal> goals, IkOptions options) {
    if (Status status = problem_.build(skeleton, std::move(goals), std::move(options)); !status)
        return status;
    method_.build(problem_);
    problem_.size(now_);
    problem_.countRevolutions(false);
    return Done{};
}

double PoseSolver::solve(Pose& pose) {
    const Mechanism& mechanism = problem_.mechanism();
    report_.iterations = 0;
    report_.gradient = 0.0;
    report_.history.clear();
    if (!problem_.isSound()) {
        outcome_ = Outcome::Stalled;
        return 0.0;
    }
    problem_.begin(pose);
    mechanism.load(pose, now_.at);
    mechanism.clamp(now_.at);
    problem_.evaluate(now_);
    outcome_ = method_.solve(problem_, 0, now_, report_);
    mechanism.store(now_.at, pose);
    return now_.total();
}

}  // namespace ulna::ik::detail
