// SPDX-License-Identifier: Apache-2.0

// The alternation that joint Newton is compared with: positions with rotations held, then a line
// search of rotations down the gradient with positions held (block coordinate descent; the line
// search is Armijo's, 1966).
#include <algorithm>
#include <cmath>

#include "ulna/fit/detail/solver.h"
#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

constexpr int kMostIterations = 2000;

// The targets of pins move on once what is left to move is this part of what pins miss: earlier,
// they would run away. After so many rounds without a gain a pin is out of reach.
constexpr double kPinLoose = 0.3;
constexpr int kPinStuck = 3;
constexpr double kNoGain = 0.9;  // of what was missed in the round before

// Armijo's part of the slope that a step must gain, and how often it may be halved: 60 halvings are
// the digits of a double.
constexpr double kEnoughGain = 1e-4;
constexpr int kMostHalvings = 60;

// What is left to move after steps of length `before` and then `step`, if they go on shrinking so.
double remaining(double step, double before) {
    const double rate = before > 0.0 ? step / before : 1.0;
    return rate < 0.9 ? step * rate / (1.0 - rate) : step;
}

}  // namespace

// Turns descent_ into a direction scaled by each point's own inertia; returns the slope along it.
double FitSolver::scaleDescent(const FitValues& values) {
    const std::vector<std::uint32_t>& rotations = moments_.unknowns().rotations;
    double slope = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Mat3& rotation = values.rotations[rotations[a]];
        Mat3 own = inertia(timesTransposed(rotation * moments_.blocks().own(a), rotation));
        // A rotation that hardly moves anything is not to be taken for a large one.
        const double floor = 1e-6 * trace(own) + 1e-300;
        for (std::size_t k = 0; k < 3; ++k) own.rows[k][k] += floor;
        const Vec3 pull{descent_[3 * a], descent_[3 * a + 1], descent_[3 * a + 2]};
        const Vec3 c0 = cross(own.rows[1], own.rows[2]), c1 = cross(own.rows[2], own.rows[0]),
                   c2 = cross(own.rows[0], own.rows[1]);
        const double det = dot(own.rows[0], c0);
        const Vec3 move = det > 0.0 ? (c0 * pull.x + c1 * pull.y + c2 * pull.z) / det : Vec3{};
        for (std::size_t k = 0; k < 3; ++k) descent_[3 * a + k] = move[k];
        slope += dot(move, pull);
    }
    return slope;
}

// One line search of rotations, positions held; `reach` is carried from one search to the next.
// Returns by how much the cost fell.
double FitSolver::rotateDownhill(FitValues& values, double& reach) {
    const double slope = scaleDescent(values);
    reach = std::min(2.0 * reach, 4.0);
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, reach *= 0.5) {
        for (std::size_t k = 0; k < step_.size(); ++k) step_[k] = reach * descent_[k];
        takeStep(values, step_, trial_);
        trial_.positions = values.positions;
        moments_.computeResidual(trial_, trial_residual_);
        const double change = costChange(values, trial_);
        if (change > -kEnoughGain * reach * slope) continue;
        std::swap(values, trial_);
        return -change;
    }
    return 0.0;
}

void FitSolver::solveAlternating(const FitLayout& layout, FitValues& values,
                                 IterationWatcher* watcher, FitReport& report) {
    const int most = options_.max_iterations > 0 ? options_.max_iterations : kMostIterations;
    double reach = 0.5, before = 0.0, missed_before = 1e300;
    int stuck = 0;
    report.status = FitStatus::MaxIterations;
    moments_.computePositions(values, near_positions_);
    report.gradient = computeDescent(values);
    for (int left_to_do = most; left_to_do > 0; --left_to_do) {
        if (watcher != nullptr && !watcher->mayGoOn(values, report.iterations)) {
            report.status = FitStatus::Stopped;
            break;
        }
        if (watcher != nullptr) watcher->see(values, report.gradient);
        ++report.iterations;
        const double length = lengthOf(2.0 * rotateDownhill(values, reach));
        moments_.computePositions(values, near_positions_);
        const double missed = missedPins(layout, values);
        // Single line searches are uneven: the rate is that of the average over a few.
        const double smooth = before > 0.0 ? std::sqrt(before * length) : length;
        const double left = std::max(length, remaining(smooth, before));
        before = smooth;
        const bool still = length <= kRoundingStep;
        if ((still || left <= options_.tolerance) && missed <= options_.tolerance) {
            report.status = FitStatus::Converged;
            report.gradient = computeDescent(values);
            break;
        }
        if (still || left <= kPinLoose * missed) {
            stuck = missed > kNoGain * missed_before ? stuck + 1 : 0;
            missed_before = missed;
            before = 0.0;
            pins_.shift(layout, values, moments_);
        }
        report.gradient = computeDescent(values);
        if (stuck == kPinStuck) {
            report.status = FitStatus::Stalled;
            break;
        }
    }
    if (watcher != nullptr) watcher->see(values, report.gradient);
}

}  // namespace ulna::fit::detail
