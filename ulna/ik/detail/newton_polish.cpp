// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/newton_polish.h"

#include <algorithm>
#include <cmath>

namespace ulna::ik::detail {
namespace {

// The analytic second derivatives know positions, orientations and plain joints only; elsewhere,
// and where they do not bring the answer to rest in so many steps, differences of the gradient take
// over.
constexpr int kAnalyticSteps = 60;
constexpr int kStepsOffSaddle = 25;

}  // namespace

void NewtonPolish::build(const Problem& problem) {
    at_.build(problem);
    hessian_.build(problem);
    newton_.build(problem);
    problem.size(candidate_);
    moves_.assign(problem.columnCount(), 0.0);
}

// The coordinates of Newton's system, and how far the others go.
void NewtonPolish::chooseFree(Problem& problem, const Evaluation& now, bool flat) {
    if (flat) {
        // A coordinate that stands at a limit without being pushed may still fall off it: a
        // straight elbow, when the target comes nearer.
        const double weak = kStationary * problem.reach() * std::sqrt(2.0 * now.total());
        problem.linearize(now);
        for (std::size_t c = 0; c < at_.state.size(); ++c) {
            if (at_.isFree(c)) continue;
            if (std::abs(at_.value[c]) < weak && at_.up[c] > at_.down[c])
                at_.state[c] = BoundedGradient::Free;
            else
                problem.freeze(c);
        }
    }
    const double stiffest = stiffestCurvature(problem, now);
    std::vector<std::size_t>& free = hessian_.free();
    std::vector<double>& to_limit = newton_.toLimit();
    free.clear();
    std::fill(to_limit.begin(), to_limit.end(), 0.0);
    for (std::size_t c = 0; c < at_.state.size(); ++c) {
        if (!at_.isFree(c)) continue;
        if (!flat && at_.isPushed(problem, c, stiffest))
            to_limit[c] = at_.roomAgainst(c) / problem.columnScale()[c];
        else
            free.push_back(c);
    }
}

// Finds a step that does not raise the cost, into candidate_: along the direction of most negative
// curvature where the gradient is flat, else Newton's with a growing shift. False when there is
// none.
bool NewtonPolish::takeNewton(Problem& problem, Evaluation& now, bool flat, double& shift) {
    constexpr int kTries = 40;
    const double before = now.total();
    for (int tries = 0; tries < kTries; ++tries) {
        bool found = true;
        if (flat) {
            // A saddle: a straight limb, say. Leave it the way it falls off.
            if (tries == 0) newton_.findDescent(hessian_);
            // Either way along the direction; limits may close one.
            newton_.stepAlongDescent(hessian_,
                                     (tries % 2 == 0 ? 0.1 : -0.1) * std::pow(0.5, tries / 2));
        } else {
            found = newton_.solve(problem, hessian_, at_, shift);
        }
        if (found) {
            takeStep(problem, now, newton_.step(), moves_, candidate_);
            // Close to the minimum the cost no longer resolves a step.
            if (candidate_.total() <= before * (1.0 + (flat ? 0.0 : 4e-16))) return true;
        }
        shift = std::max(4.0 * shift, kFirstShift);
    }
    return false;
}

Outcome NewtonPolish::solve(Problem& problem, Evaluation& now, int max_iterations,
                            LeastSquares& descent, IkReport& report) {
    const std::size_t n = problem.columnCount();
    if (n == 0) return Outcome::Stationary;
    // Too many coordinates for a dense system: damped steps for as long as they help.
    if (n > kNewtonColumns)
        return descent.descend(problem, now, {.max_iterations = max_iterations, .patient = true},
                               report);
    const bool analytic = CostHessian::isAnalytic(problem);
    double shift = 0.0;  // of the Hessian, relative to its largest entry
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        at_.linearize(problem, now);
        report.gradient = at_.stationarity;
        const bool flat = at_.stationarity < kStationary;
        chooseFree(problem, now, flat);
        if (hessian_.free().empty() && flat) return Outcome::Stationary;
        if (analytic && iteration < kAnalyticSteps)
            hessian_.compute(problem, now);
        else
            hessian_.estimate(problem, now, at_);
        if (flat && (!(hessian_.largestCurvature() > 0.0) || newton_.isMinimum(hessian_)))
            return Outcome::Stationary;

        ++report.iterations;
        if (!takeNewton(problem, now, flat, shift))
            return at_.stationarity < kNearlyStationary ? Outcome::Stationary : Outcome::Stalled;
        shift = shift < 1e-6 ? 0.0 : 0.1 * shift;
        std::swap(now, candidate_);
        if (problem.options().record_history) report.history.push_back(now.worst);
        // Off the saddle the ordinary descent knows the way.
        if (flat && descent.descend(problem, now, {.max_iterations = kStepsOffSaddle}, report) ==
                        Outcome::Reached)
            return Outcome::Reached;
    }
    return Outcome::MaxIterations;
}

}  // namespace ulna::ik::detail
