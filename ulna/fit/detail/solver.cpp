// SPDX-License-Identifier: Apache-2.0

// Set-up, gradients, steps and costs that both iterations share.
#include "ulna/fit/detail/solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {

void FitSolver::build(const FitLayout& layout, const VertexPack& pack,
                      const SolverOptions& options) {
    options_ = options;
    size_ = layout.size;
    system_.build(layout, pack, options.method == FitMethod::Alternating, moments_);
    residual_.rotations.assign(moments_.unknowns().rotations.size(), {});
    residual_.translations.assign(moments_.unknowns().translations.size(), {});
    trial_residual_ = residual_;
    descent_.assign(3 * system_.blockCount(), 0.0);
    step_ = descent_;
    near_positions_.assign(layout.translations.size(), {});
    pins_.build(layout, descent_.size());
    trial_.quats.resize(layout.rotations.size());
    trial_.rotations.resize(layout.rotations.size());
    trial_.positions.resize(layout.translations.size());
}

void FitSolver::weigh(const FitLayout& layout, const VertexPack& pack,
                      std::span<const double> masses, double smoothness) {
    moments_.weigh(layout, pack, masses, smoothness);
    system_.weigh(moments_);
    linear_start_.forget();
}

void FitSolver::setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                         const FitValues& values, const FitValues* reference,
                         std::span<const Vec3> pins) {
    moments_.setFrame(layout, point_moments, values, reference);
    pins_.setFrame(layout, pins, moments_);
    std::copy(values.positions.begin(), values.positions.end(), near_positions_.begin());
}

double FitSolver::computeDescent(const FitValues& values) {
    moments_.computeResidual(values, residual_);
    return gatherDescent(values);
}

double FitSolver::gatherDescent(const FitValues& values) {
    const std::vector<std::uint32_t>& rotations = moments_.unknowns().rotations;
    double sum = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Vec3 pull =
            axial(timesTransposed(residual_.rotations[a], values.rotations[rotations[a]]));
        for (std::size_t k = 0; k < 3; ++k) descent_[3 * a + k] = pull[k];
        sum += dot(pull, pull);
    }
    for (std::size_t b = rotations.size(); b < system_.blockCount(); ++b)
        for (std::size_t k = 0; k < 3; ++k)
            descent_[3 * b + k] = residual_.translations[b - rotations.size()][k];
    const double unit = moments_.mass() * size_ * size_;
    return unit > 0.0 ? std::sqrt(sum) / unit : 0.0;
}

// Solves for a step at `values`; false where Newton's matrix is not positive definite.
bool FitSolver::findStep(const FitValues& values, Curvature curvature, double damping) {
    const bool positive = system_.factor(moments_, values, residual_, curvature, damping);
    if (!positive && curvature == Curvature::Newton) return false;
    std::copy(descent_.begin(), descent_.end(), step_.begin());
    system_.solve(step_);
    return true;
}

void FitSolver::computeStep(const FitValues& values, std::span<double> step) {
    static_cast<void>(findStep(values, Curvature::GaussNewton, kSettlingDamping));
    std::copy(step_.begin(), step_.end(), step.begin());
}

void FitSolver::takeStep(const FitValues& from, std::span<const double> step, FitValues& to) const {
    const std::vector<std::uint32_t>& rotations = moments_.unknowns().rotations;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Vec3 by{step[3 * a], step[3 * a + 1], step[3 * a + 2]};
        to.quats[rotations[a]] = normalized(quatExp(by) * from.quats[rotations[a]]);
        to.rotations[rotations[a]] = toMatrix(to.quats[rotations[a]]);
    }
}

double FitSolver::costChange(const FitValues& from, const FitValues& to) const {
    const std::vector<std::uint32_t>& rotations = moments_.unknowns().rotations;
    double sum = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        Mat3 moved = to.rotations[rotations[a]];
        moved -= from.rotations[rotations[a]];
        Mat3 both = residual_.rotations[a];
        both += trial_residual_.rotations[a];
        sum += dot(moved, both);
    }
    if (!moments_.eliminated()) {
        const std::vector<std::uint32_t>& translations = moments_.unknowns().translations;
        for (std::size_t t = 0; t < translations.size(); ++t) {
            sum += dot(to.positions[translations[t]] - from.positions[translations[t]],
                       residual_.translations[t] + trial_residual_.translations[t]);
        }
    }
    return -0.5 * sum;
}

// The most that an extra pin misses, in units of the size.
double FitSolver::missedPins(const FitLayout& layout, const FitValues& values) const {
    return pins_.largestMiss(layout, values) / size_;
}

// How far the vertices move, as root mean square in units of the size, by a step that does so much
// work.
double FitSolver::lengthOf(double work) const {
    return std::sqrt(work / moments_.mass()) / size_;
}

void FitSolver::startCold(FitValues& values) {
    trial_ = values;
    if (!linear_start_.compute(moments_, options_.planar, trial_)) return;
    moments_.computePositions(values, near_positions_);
    moments_.computePositions(trial_, near_positions_);
    moments_.computeResidual(values, residual_);
    moments_.computeResidual(trial_, trial_residual_);
    if (costChange(values, trial_) < 0.0) std::swap(values, trial_);
}

void FitSolver::solve(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                      FitReport& report) {
    system_.forget();
    std::copy(values.quats.begin(), values.quats.end(), trial_.quats.begin());
    std::copy(values.rotations.begin(), values.rotations.end(), trial_.rotations.begin());
    std::copy(values.positions.begin(), values.positions.end(), trial_.positions.begin());
    if (!(moments_.mass() > 0.0)) {
        report.status = FitStatus::Converged;
        report.gradient = 0.0;
    } else if (options_.method == FitMethod::Alternating) {
        solveAlternating(layout, values, watcher, report);
    } else {
        solveNewton(layout, values, watcher, report);
    }
}

}  // namespace ulna::fit::detail
