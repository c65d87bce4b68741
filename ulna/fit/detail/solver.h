// SPDX-License-Identifier: Apache-2.0

// The two iterations of fit/fitter.h, on moments alone.
//
// Rotations are looked for in absolute form: rotating a point leaves the rotations of the points it
// carries as they are and moves their positions. Then vertices are linear in all rotation matrices.
// The difference of two costs is computed from the residual moments C of both,
// -<Y' - Y, C + C'> / 2, which does not cancel as the difference of their values does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/fit/detail/extra_pins.h"
#include "ulna/fit/detail/linear_start.h"
#include "ulna/fit/detail/moments.h"
#include "ulna/fit/detail/normal_system.h"
#include "ulna/fit/options.h"
#include "ulna/fit/report.h"
#include "ulna/solve/damped_newton.h"

namespace ulna::fit::detail {

struct SolverOptions {
    FitMethod method = FitMethod::JointNewton;
    double tolerance = 1e-9;
    int max_iterations = 0;
    bool planar = false;
};

/// Sees every iteration, and may end them.
class IterationWatcher {
  public:
    /// Called before every iteration and at the end.
    virtual void see(const FitValues& values, double gradient) = 0;
    /// Whether another iteration may be made.
    [[nodiscard]] virtual bool mayGoOn(const FitValues& values, int iterations) = 0;

  protected:
    ~IterationWatcher() = default;
};

class FitSolver {
  public:
    void build(const FitLayout& layout, const VertexPack& pack, const SolverOptions& options);
    void weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
               double smoothness);
    /// Takes a frame. `values` has what is known; `pins` where points of extra pins are held.
    void setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                  const FitValues& values, const FitValues* reference, std::span<const Vec3> pins);

    /// Replaces the unknown rotations by those of the linear problem's answer where that is better.
    void startCold(FitValues& values);
    /// Iterates from `values`; fills status, iterations and gradient.
    void solve(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
               FitReport& report);
    /// Fills rank, freedoms and undetermined for the values that solve() ended at.
    void findRank(const FitLayout& layout, const FitValues& values, FitReport& report);

    [[nodiscard]] const Moments& moments() const { return moments_; }
    /// Minus the gradient at `values`: three values per unknown rotation, then three per unknown
    /// translation that is kept. Its length, in units of mass times squared size, is returned.
    double computeDescent(const FitValues& values);
    [[nodiscard]] std::span<const double> descent() const { return descent_; }
    /// One undamped step from where computeDescent was.
    void computeStep(const FitValues& values, std::span<double> step);

  private:
    class NewtonProblem;

    double gatherDescent(const FitValues& values);
    [[nodiscard]] bool findStep(const FitValues& values, Curvature curvature, double damping);
    void takeStep(const FitValues& from, std::span<const double> step, FitValues& to) const;
    [[nodiscard]] double costChange(const FitValues& from, const FitValues& to) const;
    [[nodiscard]] double missedPins(const FitLayout& layout, const FitValues& values) const;
    [[nodiscard]] double lengthOf(double work) const;
    void solveNewton(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                     FitReport& report);
    void solveAlternating(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                          FitReport& report);
    [[nodiscard]] double scaleDescent(const FitValues& values);
    [[nodiscard]] double rotateDownhill(FitValues& values, double& reach);

    SolverOptions options_;
    double size_ = 1.0;
    Moments moments_;
    NormalSystem system_;
    ExtraPins pins_;
    LinearStart linear_start_;
    ResidualMoments residual_, trial_residual_;
    std::vector<double> descent_, step_;
    std::vector<Vec3> near_positions_;  // where what is not determined stays
    FitValues trial_;
};

}  // namespace ulna::fit::detail
