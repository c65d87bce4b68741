// SPDX-License-Identifier: Apache-2.0

// The fit of a skeleton to one frame: start, rounds of a robust loss, rounds of pins, report.
#pragma once

#include <memory>

#include "ulna/fit/detail/frame_budget.h"
#include "ulna/fit/detail/robust.h"
#include "ulna/fit/detail/skeleton_setup.h"
#include "ulna/fit/detail/skeleton_shape.h"
#include "ulna/fit/detail/skeleton_solver.h"
#include "ulna/fit/fitter.h"

namespace ulna::fit::detail {

class SkeletonRun {
  public:
    /// @param cold fits the rig of free joints for cold starts.
    SkeletonRun(std::shared_ptr<const SkeletonSetup> setup, Fitter cold);

    /// As SkeletonFitter::fit.
    const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose);

    void setBudget(Budget budget) { budget_.set(std::move(budget)); }
    [[nodiscard]] const SkeletonSetup& setup() const { return *setup_; }

  private:
    void takePins(const FitTargets& targets, const Pose& pose);
    void startCold(const FitTargets& targets, const Pose& pose);
    void solveRobust(FitStart start);
    void solvePinned(SkeletonShape::Masses masses);
    [[nodiscard]] double solveRounds(double loose);
    void writeReport();

    std::shared_ptr<const SkeletonSetup> setup_;
    Fitter cold_;
    ControlPose cold_pose_;
    SkeletonShape shape_;
    SkeletonSolver solver_;
    RobustMasses robust_;
    FrameBudget budget_;
    RankFinder rank_;
    std::vector<Affine> start_model_;  // model_from_joint of the start pose, for pins
    MechanismState pin_start_;
    FitReport report_;
};

}  // namespace ulna::fit::detail
