// SPDX-License-Identifier: Apache-2.0

#include "ulna/solve/damped_newton.h"

namespace ulna {
namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kMostDamping = 1e8;
constexpr double kDampingFactor = 10.0;

// Steps below kNear, in units of the size, that are longer than kSlow times the step before them
// turn Gauss-Newton into Newton: nearer than that its second derivatives can be trusted, and
// Gauss-Newton without a residual shrinks its steps faster.
constexpr double kNear = 0.02;
constexpr double kSlow = 0.02;

// Rates above this say too little about where the steps end.
constexpr double kUncertainRate = 0.9;

}  // namespace

bool NewtonPace::maySolve() const {
    return damping <= kMostDamping;
}

void NewtonPace::reject() {
    rejected = true;
    // Newton's step is first replaced by Gauss-Newton's with the same damping.
    if (curvature == Curvature::GaussNewton)
        damping = std::max(damping * kDampingFactor, careful ? 0.0 : kFirstDamping);
    curvature = Curvature::GaussNewton;
}

void NewtonPace::accept(double length) {
    if (length < kNear && length > kSlow * last_length) curvature = Curvature::Newton;
    last_length = length;
    careful = (rejected && (careful || rejected_before)) || (careful && damping > kSettlingDamping);
    rejected_before = rejected;
    rejected = false;
    damping = damping > kFirstDamping || careful
                  ? std::max(damping / kDampingFactor, kSettlingDamping)
                  : kSettlingDamping;
}

double NewtonPace::remaining(double length) const {
    const double rate = last_length > 0.0 ? length / last_length : 1.0;
    return rate < kUncertainRate ? std::min(length, length * rate / (1.0 - rate)) : length;
}

}  // namespace ulna
