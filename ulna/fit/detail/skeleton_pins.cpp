// SPDX-License-Identifier: Apache-2.0

// Rounds of pins: their targets move on until the joints are in place (the method of multipliers:
// Hestenes 1969, Powell 1969).
#include <utility>

#include "ulna/fit/detail/skeleton_run.h"

namespace ulna::fit::detail {
namespace {

// Of what pins are off: how far a round is solved before the targets move on.
constexpr double kPinLoose = 0.3;
// How far off pins are taken to be before they are measured, in units of the size.
constexpr double kFirstMiss = 0.02;
constexpr int kPinRounds = 200;
// So many rounds that gain next to nothing end the search: a pin is out of reach.
constexpr int kPinStuck = 3;
constexpr double kNoGain = 0.9;  // of what was missed in the round before
// Pins this near, in units of the size, are in place: rounding lets them come no nearer.
constexpr double kPinRounding = 3e-9;
constexpr double kHeavierPins = 100.0;  // times the mass

}  // namespace

// Rounds until the pins are in place or the budget is spent; returns the largest distance that is
// left. Each is solved until what may be left to move is `loose` times that distance. Where a pin
// is out of reach the rounds end: its position is approached as far as possible.
double SkeletonRun::solveRounds(double loose) {
    const SkeletonSetup& s = *setup_;
    const double tolerance = s.options.tolerance;
    const bool pinned = !s.options.pinned.empty();
    solver_.solve(s, shape_, std::max(tolerance, pinned ? loose * kFirstMiss : 0.0), budget_,
                  report_);
    if (!pinned || budget_.isSpent()) return 0.0;
    double before = 1e300;
    int stuck = 0;
    for (int round = 0; round < kPinRounds; ++round) {
        const double left = shape_.movePins(s, solver_.now().model);
        if (left <= tolerance * s.size) return 0.0;
        stuck += left > kNoGain * before ? 1 : 0;
        if (stuck == kPinStuck) return left <= kPinRounding * s.size ? 0.0 : left;
        before = left;
        shape_.setFrame(s, solver_.system());
        solver_.solve(s, shape_, std::max(tolerance, loose * left / s.size), budget_, report_);
        if (budget_.isSpent()) return left;
    }
    return before;
}

// Light pins give way at first, and what they let stretch straight may not bend again: then heavier
// ones go the way again from the start, where nothing is stretched yet. The nearer answer counts.
void SkeletonRun::solvePinned(SkeletonShape::Masses masses) {
    const SkeletonSetup& s = *setup_;
    pin_start_ = solver_.now().state;
    const double light = solveRounds(kPinLoose);
    if (light == 0.0 || budget_.isSpent()) return;
    const double light_gradient = report_.gradient;
    const auto weighPins = [&](double factor) {
        shape_.weighPins(s, factor);
        shape_.use(s, masses, solver_.system());
    };
    solver_.swapState(s, pin_start_);
    weighPins(kHeavierPins);
    const double heavy = solveRounds(0.0);
    const bool stopped = budget_.isSpent();
    if (stopped || heavy > light) {
        solver_.swapState(s, pin_start_);
        report_.gradient = light_gradient;
    }
    weighPins(1.0);
    solver_.linearize(s);
    if (stopped)
        report_.status = FitStatus::Stopped;
    else if (heavy > 0.0)
        report_.status = FitStatus::Stalled;
}

}  // namespace ulna::fit::detail
