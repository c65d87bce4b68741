// SPDX-License-Identifier: Apache-2.0

// The two iterations of fit/fitter.h, on moments alone.
//
// Rotations are looked for in absolute form: turning a point leaves the rotations of those it
// carries alone and moves their places. Then vertices are linear in all rotation matrices, and the
// Gauss-Newton matrix has the block R_a M_ab R_b^T (less its transpose) for two rotations: no
// vertex is looked at. The difference of two costs is computed from the residual moments C of both,
// -<Y' - Y, C + C'> / 2, which does not cancel as the difference of their values does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/block_cholesky.h"
#include "ulna/fit/detail/moments.h"
#include "ulna/fit/fitter.h"
#include "ulna/math/dense.h"

namespace ulna::fit::detail {

/// Damping that only settles what nothing determines: in units of the diagonal, well above rounding
/// and far below what slows a determined step.
inline constexpr double kLeastDamping = 1e-9;

struct SolverOptions {
    FitMethod method = FitMethod::JointNewton;
    double tolerance = 1e-9;
    int max_iterations = 0;
    bool planar = false;
};

/// Called before every iteration and at the end, where someone wants to see them.
class IterationWatcher {
  public:
    virtual void see(const FitValues& values, double gradient) = 0;

  protected:
    ~IterationWatcher() = default;
};

class FitSolver {
  public:
    void build(const FitLayout& layout, const VertexPack& pack, const SolverOptions& options);
    void weigh(const FitLayout& layout, const VertexPack& pack, std::span<const double> masses,
               double smoothness);
    /// Takes a frame. `values` has what is known, and where pinned points are.
    void setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                  const FitValues& values, const FitValues* reference,
                  std::span<const Vec3> pin_places);

    /// Replaces the unknown rotations by those of the linear problem's answer where that is better.
    void startCold(FitValues& values);
    /// Iterates from `values`; fills status, iterations and gradient.
    void solve(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
               FitReport& report);
    /// Fills rank, freedoms and undetermined for the place that solve() ended at.
    void findRank(const FitLayout& layout, const FitValues& values, FitReport& report);

    [[nodiscard]] const Moments& moments() const { return moments_; }
    /// Minus the gradient at `values`: three numbers per unknown rotation, then three per unknown
    /// translation that is kept. Its length, in units of mass times squared size, is returned.
    double computeDescent(const FitValues& values);
    [[nodiscard]] std::span<const double> descent() const { return descent_; }
    /// One undamped step from where computeDescent was.
    void computeStep(const FitValues& values, std::span<double> step);

  private:
    double gatherDescent(const FitValues& values);
    void chooseStructure(const FitLayout& layout, const VertexPack& pack);
    /// With the curvature of rotations under the present residual, it is Newton's matrix.
    enum class Curvature : std::uint8_t { Off, On };
    void assemble(const FitValues& values, Curvature curvature);
    /// Solves for a step: by Newton's matrix where that is wanted and positive, else by
    /// Gauss-Newton's with this damping.
    void findStep(const FitValues& values, Curvature& curvature, double damping);
    void takeStep(const FitValues& from, std::span<const double> step, FitValues& to) const;
    [[nodiscard]] double costChange(const FitValues& from, const FitValues& to) const;
    void aimPins(const FitLayout& layout, const FitValues& values);
    void shiftPins(const FitLayout& layout, const FitValues& values);
    [[nodiscard]] double missedPins(const FitLayout& layout, const FitValues& values) const;
    void solveNewton(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                     FitReport& report);
    void solveAlternating(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                          FitReport& report);
    double turnDownhill(FitValues& values, double& reach);
    void buildLinear();

    SolverOptions options_;
    double size_ = 1.0;
    Moments moments_;
    BlockCholesky cholesky_;
    std::size_t blocks_ = 0;
    std::vector<double> scales_;      // per block
    double factored_damping_ = -1.0;  // of a Gauss-Newton matrix; below 0: of another

    std::vector<Mat3> residual_, next_residual_;  // C per unknown rotation
    std::vector<Vec3> place_residual_, next_place_residual_;
    std::vector<double> descent_, step_;
    std::vector<Vec3> near_places_, pin_places_;
    FitValues trial_;
    // Of extra pins: how they move with the unknown, and the system of their shifts.
    std::vector<double> pin_rows_, pin_moves_, pin_matrix_, pin_inverse_, pin_null_, pin_misses_;

    bool linear_is_ready_ = false;
    DenseCholesky linear_;
    std::vector<double> linear_matrix_, linear_ridge_, linear_sides_;
};

}  // namespace ulna::fit::detail
