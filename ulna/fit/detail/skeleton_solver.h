// SPDX-License-Identifier: Apache-2.0

// The damped Newton iteration over a skeleton's coordinates, inside their limits.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/fit/detail/frame_budget.h"
#include "ulna/fit/detail/skeleton_setup.h"
#include "ulna/fit/detail/skeleton_shape.h"
#include "ulna/fit/detail/skeleton_smoothness.h"
#include "ulna/fit/detail/skeleton_system.h"
#include "ulna/fit/report.h"
#include "ulna/solve/bounded_step.h"
#include "ulna/solve/damped_newton.h"

namespace ulna::fit::detail {

/// A state of the coordinates with everything that follows from it.
struct PlacedSkeleton {
    MechanismState state;
    Pose pose;
    std::vector<Affine> model;  // model_from_joint
    std::vector<Columns4> matrices, residual;
};

class SkeletonSolver {
  public:
    explicit SkeletonSolver(const SkeletonSetup& setup);

    /// Starts from the state nearest to a pose within kinds and limits; stretch and scale are the
    /// pose's own.
    void start(const SkeletonSetup& setup, const Pose& pose);
    /// Goes to the state nearest to a pose instead where the vertices are nearer to their targets
    /// there. The pose must have the stretch and scale of the one started from.
    void startFromBetter(const SkeletonSetup& setup, const Pose& pose);
    /// Exchanges the present state for another.
    void swapState(const SkeletonSetup& setup, MechanismState& other);

    /// Iterates until at most `tolerance` is left to move, or the budget is spent. Fills status,
    /// iterations, gradient and, where it is asked for, the history.
    void solve(const SkeletonSetup& setup, SkeletonShape& shape, double tolerance,
               FrameBudget& budget, FitReport& report);
    /// Computes the matrix and what is left at the present state.
    void linearize(const SkeletonSetup& setup);

    [[nodiscard]] const PlacedSkeleton& now() const { return now_; }
    [[nodiscard]] SkeletonSystem& system() { return system_; }
    /// The lower triangle of the Gauss-Newton matrix that linearize() found.
    [[nodiscard]] std::span<const double> matrix() const { return matrix_; }

  private:
    class NewtonProblem;

    void place(const SkeletonSetup& setup, PlacedSkeleton& at) const;
    void evaluate(const SkeletonSetup& setup, PlacedSkeleton& at);
    [[nodiscard]] double dataChange(const PlacedSkeleton& from, const PlacedSkeleton& to) const;
    [[nodiscard]] double squaredMotion() const;
    bool changeCoordinates(const SkeletonSetup& setup);
    bool takeCoordinatesOfPose(const SkeletonSetup& setup);
    bool leaveGimbalLocks(const SkeletonSetup& setup);
    void computeTwists(const SkeletonSetup& setup);
    void linearizeEvaluated(const SkeletonSetup& setup);
    [[nodiscard]] std::span<const double> stepMatrix(const SkeletonSetup& setup,
                                                     Curvature curvature);

    Mechanism mechanism_;
    SkeletonSystem system_;
    SkeletonSmoothness smoothness_;
    BoundedStep bounded_;
    PlacedSkeleton now_, trial_;
    std::vector<RigidFrame> frames_;
    Mechanism::Twists mechanism_twists_;
    std::vector<Twist> twists_;
    std::vector<double> descent_;
    std::vector<double> matrix_;  // Gauss-Newton's
    std::vector<double> bent_;    // the same with curvature
};

}  // namespace ulna::fit::detail
