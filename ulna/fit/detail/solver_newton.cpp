// SPDX-License-Identifier: Apache-2.0

// Joint Gauss-Newton over all rotations, the free positions eliminated as by Golub and Pereyra
// 1973 or solved for in the same system.
#include <algorithm>
#include <cmath>

#include "ulna/fit/detail/solver.h"

namespace ulna::fit::detail {
namespace {

constexpr int kMostIterations = 50;

}  // namespace

// What runDampedNewton asks of a rig at some values.
class FitSolver::NewtonProblem {
  public:
    NewtonProblem(FitSolver& solver, const FitLayout& layout, FitValues& values,
                  IterationWatcher* watcher, FitReport& report)
        : solver_(solver), layout_(layout), values_(values), watcher_(watcher), report_(report) {}

    std::optional<TriedStep> tryStep(Curvature curvature, double damping) {
        FitSolver& s = solver_;
        if (!s.findStep(values_, curvature, damping)) return std::nullopt;
        if (!s.pins_.empty()) {
            s.pins_.aim(layout_, values_, s.system_, s.descent_, s.moments_);
            report_.gradient = s.computeDescent(values_);
            std::copy(s.descent_.begin(), s.descent_.end(), s.step_.begin());
            s.system_.solve(s.step_);
        }
        double work = 0.0;
        for (std::size_t k = 0; k < s.step_.size(); ++k) work += s.step_[k] * s.descent_[k];
        s.takeStep(values_, s.step_, s.trial_);
        s.moments_.computePositions(s.trial_, s.near_positions_);
        s.moments_.computeResidual(s.trial_, s.trial_residual_);
        return TriedStep{s.lengthOf(std::max(work, 0.0)), s.costChange(values_, s.trial_)};
    }
    void acceptStep() {
        std::swap(values_, solver_.trial_);
        std::swap(solver_.residual_, solver_.trial_residual_);
        report_.gradient = solver_.gatherDescent(values_);
    }
    [[nodiscard]] bool mayEnd() const {
        return solver_.missedPins(layout_, values_) <= solver_.options_.tolerance;
    }
    [[nodiscard]] bool mayGoOn() {
        return watcher_ == nullptr || watcher_->mayGoOn(values_, report_.iterations);
    }
    void watch() {
        if (watcher_ != nullptr) watcher_->see(values_, report_.gradient);
    }

  private:
    FitSolver& solver_;
    const FitLayout& layout_;
    FitValues& values_;
    IterationWatcher* watcher_;
    FitReport& report_;
};

void FitSolver::solveNewton(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                            FitReport& report) {
    const int most = options_.max_iterations > 0 ? options_.max_iterations : kMostIterations;
    moments_.computePositions(values, near_positions_);
    report.gradient = computeDescent(values);
    NewtonProblem problem(*this, layout, values, watcher, report);
    switch (runDampedNewton(problem, options_.tolerance, most, report.iterations)) {
        case NewtonOutcome::Converged:
            report.status = FitStatus::Converged;
            break;
        case NewtonOutcome::NoStepDescends:
            report.status = FitStatus::Stalled;
            break;
        case NewtonOutcome::MaxIterations:
            report.status = FitStatus::MaxIterations;
            break;
        case NewtonOutcome::Stopped:
            report.status = FitStatus::Stopped;
            break;
    }
}

}  // namespace ulna::fit::detail
