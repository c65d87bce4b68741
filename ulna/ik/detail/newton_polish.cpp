// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/newton_polish.h"

#include <algorithm>
#include <cmath>

namespace ulna::ik::detail {
namespace {

constexpr int kStepsOffSaddle = 25;

// How often a step is shortened before it is given up; fewer times where coordinates go all the way
// to their limits.
constexpr int kTries = 40;
constexpr int kTriesToLimits = 6;
// How many of them may be with a Hessian that is not definite, which takes longer to solve.
constexpr int kIndefiniteTries = 3;

// At a kink the cost must fall by this part, or the answer is given up.
constexpr double kKinkProgress = 1e-6;

// Where answers come to rest, and the most steps from what counts as stationary to there.
constexpr double kAtRest = 1e-2 * kStationary;
constexpr int kLastSteps = 8;

// So many steps must lower the cost by the part that is worth a round. Where they do not, second
// derivatives by differences of the gradient along the coordinates' own paths take over (rotation
// vectors have them from the first); where these do not either, the answer is given up: the minimum
// is at infinity, or at a point where a goal has no derivatives, such as an eye at its own target.
constexpr int kPatience = 32;
constexpr int kPatienceWithDifferences = 16;  // each takes longer

// A step off a saddle lowers the cost by at least this part, or there is no saddle.
constexpr double kFall = 1e-13;

}  // namespace

void NewtonPolish::build(const Problem& problem) {
    at_.build(problem);
    hessian_.build(problem);
    newton_.build(problem);
    problem.size(candidate_);
    moves_.assign(problem.columnCount(), 0.0);
}

// The coordinates of Newton's system, and how far the others go. True where some go to a limit.
bool NewtonPolish::chooseFree(Problem& problem, const Evaluation& now, Rule rule) {
    if (rule == Rule::Flat) {
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
    hessian_.setStiffest(stiffest);
    std::vector<std::size_t>& free = hessian_.free();
    std::vector<double>& to_limit = newton_.toLimit();
    free.clear();
    std::fill(to_limit.begin(), to_limit.end(), 0.0);
    bool any = false;
    for (std::size_t c = 0; c < at_.state.size(); ++c) {
        if (!at_.isFree(c)) continue;
        if (rule == Rule::ToLimits && at_.isPushed(problem, c, stiffest)) {
            to_limit[c] = at_.roomAgainst(c) / problem.columnScale()[c];
            any = true;
        } else {
            free.push_back(c);
        }
    }
    return any;
}

void NewtonPolish::computeHessian(Problem& problem, const Evaluation& now, bool by_differences) {
    if (by_differences)
        hessian_.estimate(problem, now, at_);
    else
        hessian_.compute(problem, now, at_.value);
}

// Finds a step that does not raise the cost, into candidate_: along the direction of most negative
// curvature where the gradient is flat, else Newton's with a growing shift. False when there is
// none.
bool NewtonPolish::takeNewton(Problem& problem, const Evaluation& now, bool flat, int most_tries,
                              double& shift) {
    const double before = now.total();
    for (int tries = 0; tries < most_tries; ++tries) {
        bool found = true;
        if (flat) {
            // A saddle: a straight limb, say. Leave it the way it falls off.
            if (tries == 0) newton_.findDescent(hessian_);
            // Either way along the direction; limits may close one.
            newton_.stepAlongDescent(hessian_,
                                     (tries % 2 == 0 ? 0.1 : -0.1) * std::pow(0.5, tries / 2));
        } else {
            found = newton_.solve(problem, hessian_, at_, shift, tries < kIndefiniteTries);
        }
        if (found) {
            takeStep(problem, now, newton_.step(), moves_, candidate_);
            // Close to the minimum the cost no longer resolves a step. Off a saddle it must fall.
            if (candidate_.total() <= before * (flat ? 1.0 - kFall : 1.0 + 4e-16)) return true;
        }
        shift = std::max(8.0 * shift, kFirstShift);
    }
    return false;
}

Outcome NewtonPolish::solve(Problem& problem, Evaluation& now, bool moved, int max_iterations,
                            LeastSquares& descent, IkReport& report) {
    const std::size_t n = problem.columnCount();
    if (n == 0) return Outcome::Stationary;
    // Too many coordinates for a dense system: damped steps for as long as they help.
    if (n > kNewtonColumns)
        return descent.descend(problem, now, {.max_iterations = max_iterations, .slow_steps = 0},
                               report);
    // What is stationary as it is given stays where it is. What moved goes on for some steps, well
    // below that mark, so that it stays where it is when it is solved again.
    int last_steps = moved ? kLastSteps : 0;
    double shift = 0.0;  // of the Hessian, relative to its largest entry
    double checked = now.total();
    bool by_differences = problem.mechanism().hasVectors();
    int next_look = by_differences ? kPatienceWithDifferences : kPatience;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0 && !problem.hasPosture()) return Outcome::Reached;
        if (problem.isSpent(now, report)) return Outcome::Stopped;
        if (iteration == next_look) {
            if (now.total() > (1.0 - kWorthARound) * checked) {
                if (by_differences) return Outcome::Stalled;
                by_differences = true;
            }
            checked = now.total();
            next_look += by_differences ? kPatienceWithDifferences : kPatience;
        }
        at_.linearize(problem, now);
        report.gradient = at_.stationarity;
        const bool flat = at_.stationarity < kStationary;
        const bool to_limits = chooseFree(problem, now, flat ? Rule::Flat : Rule::ToLimits);
        if (hessian_.free().empty() && flat) return Outcome::Stationary;
        computeHessian(problem, now, by_differences);
        const bool minimum = flat && newton_.isMinimum(hessian_);
        if (minimum && (at_.stationarity < kAtRest || last_steps == 0)) return Outcome::Stationary;
        if (minimum) {
            --last_steps;
            if (!takeNewton(problem, now, false, kTries, shift)) return Outcome::Stationary;
            std::swap(now, candidate_);
            continue;
        }

        ++report.iterations;
        bool taken = takeNewton(problem, now, flat, to_limits ? kTriesToLimits : kTries, shift);
        if (!taken && to_limits) {
            // Going to the limits at once was too far.
            shift = 0.0;
            chooseFree(problem, now, Rule::Inside);
            computeHessian(problem, now, by_differences);
            taken = takeNewton(problem, now, flat, kTries, shift);
        }
        if (!taken) {
            if (at_.stationarity < kNearlyStationary) return Outcome::Stationary;
            // Where a goal has a kink, damped steps may still know a way.
            const double before = now.total();
            const Outcome outcome =
                descent.descend(problem, now, {.max_iterations = kStepsOffSaddle}, report);
            if (outcome == Outcome::Reached) return outcome;
            if (now.total() > (1.0 - kKinkProgress) * before) return Outcome::Stalled;
            shift = 0.0;
            continue;
        }
        shift = shift < kFirstShift ? 0.0 : 0.1 * shift;
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
