// SPDX-License-Identifier: Apache-2.0

// Other coordinates of the same pose. A rotation has two triples of Euler angles, in gimbal lock a
// line of them, and without limits whole revolutions more. Where limits stop the iteration in one
// of them it may go on in another.
#include <algorithm>
#include <cmath>

#include "ulna/fit/detail/skeleton_solver.h"

namespace ulna::fit::detail {
namespace {

// Coordinates that differ by more, in radians or lengths, are others: the way from coordinates to a
// pose and back leaves rounding, and the root of rounding near gimbal lock.
constexpr double kOther = 1e-6;

// The outer axes of a ball this nearly parallel, in radians, are in gimbal lock.
constexpr double kLocked = 1e-7;

// In lock at a limit, the middle angle must be asked to leave it with more than this part of the
// force that holds it there.
constexpr double kAsked = 1e-6;

// The angle t within an interval for which a cos t + b sin t is largest.
double bestAngle(double a, double b, double low, double high) {
    const double free = std::atan2(b, a);
    for (const double t : {free, free - kTwoPi, free + kTwoPi})
        if (low <= t && t <= high) return t;
    const auto value = [&](double t) { return a * std::cos(t) + b * std::sin(t); };
    return value(low) > value(high) ? low : high;
}

}  // namespace

// Whether the iteration is to go on, from other coordinates of the same pose: where no limit holds
// any, it would end there too. Those that a new fit would begin with come first, so that it would
// stay where this one ends. The pull of smoothness is measured in coordinates, so with it they are
// kept.
bool SkeletonSolver::changeCoordinates(const SkeletonSetup& setup) {
    if (!mechanism_.bounded() || setup.options.smoothness > 0.0) return false;
    bool limits_hold = false;
    for (std::size_t c = 0; c < descent_.size(); ++c)
        limits_hold = limits_hold || bounded_.isPushed(c, descent_[c]);
    if (!limits_hold) return false;
    return takeCoordinatesOfPose(setup) || leaveGimbalLocks(setup);
}

bool SkeletonSolver::takeCoordinatesOfPose(const SkeletonSetup& setup) {
    mechanism_.load(now_.pose, trial_.state);
    mechanism_.clamp(trial_.state);
    bool other = false;
    for (std::size_t c = 0; c < setup.columns.size(); ++c) {
        if (setup.columns[c].kind == ColumnKind::Ball) continue;
        const double change = trial_.state.values[c] - now_.state.values[c];
        other = other || std::abs(mechanism_.isCircular(c) ? wrapAngle(change) : change) > kOther;
    }
    if (!other) return false;
    std::swap(now_.state, trial_.state);
    place(setup, now_);
    return true;
}

// In gimbal lock the outer angles may change against each other without rotating anything; the axis
// of the middle angle rotates with them. Where that angle is at a limit, it is aimed to where the
// vertices ask it to go, as far as the limits of the outer angles allow.
bool SkeletonSolver::leaveGimbalLocks(const SkeletonSetup& setup) {
    bool left = false;
    const std::span<const Mechanism::Link> links = mechanism_.links();
    for (std::size_t i = 0; i + 2 < links.size(); ++i) {
        const std::size_t c = links[i].column;
        const bool euler = links[i].joint == links[i + 2].joint && links[i].columns == 1 &&
                           links[i + 2].columns == 1 && links[i].kind != LinkKind::Slide;
        if (!euler || !bounded_.isPushed(c + 1, descent_[c + 1])) continue;
        const double up = bounded_.up()[c + 1], down = bounded_.down()[c + 1];
        if (std::max(up, -down) < kOther) continue;  // limits that are one value
        const Vec3 &first = twists_[c].angular, &middle = twists_[c + 1].angular;
        const Vec3& last = twists_[c + 2].angular;
        if (length(cross(first, last)) > kLocked) continue;
        // What the middle angle would gain if its axis were rotated about the first by a quarter.
        const Vec3 across = cross(first, middle);
        const Vec3 at = frames_[i].p + mechanism_.origin() - setup.origin;
        const double quarter =
            system_.descentAlong(index(links[i].joint), {across, cross(at, across)});
        const double inward = up > -down ? 1.0 : -1.0;
        const double opposite = dot(first, last) > 0.0 ? -1.0 : 1.0;
        const double low_last = opposite > 0.0 ? bounded_.down()[c + 2] : -bounded_.up()[c + 2];
        const double high_last = opposite > 0.0 ? bounded_.up()[c + 2] : -bounded_.down()[c + 2];
        const double t = bestAngle(inward * descent_[c + 1], inward * quarter,
                                   std::max(bounded_.down()[c], low_last),
                                   std::min(bounded_.up()[c], high_last));
        const double asked = inward * (descent_[c + 1] * std::cos(t) + quarter * std::sin(t));
        if (!(asked > kAsked * std::hypot(descent_[c + 1], quarter))) continue;
        now_.state.values[c] += t;
        now_.state.values[c + 2] += opposite * t;
        left = true;
    }
    if (left) place(setup, now_);
    return left;
}

}  // namespace ulna::fit::detail
