// SPDX-License-Identifier: Apache-2.0

// Levenberg (1944), Marquardt (1963); damping by the cost after Sugihara, "Solvability-unconcerned
// inverse kinematics by the Levenberg-Marquardt method" (2011).
#include "ulna/ik/detail/least_squares.h"

namespace ulna::ik::detail {

void LeastSquares::build(const Problem& problem) {
    at_.build(problem);
    step_.build(problem);
    moves_.assign(problem.columnCount(), 0.0);
    problem.size(candidate_);
}

void takeStep(const Problem& problem, const Evaluation& from, std::span<const double> step,
              std::vector<double>& moves, Evaluation& to) {
    const auto scale = problem.columnScale();
    for (std::size_t c = 0; c < step.size(); ++c) moves[c] = step[c] * scale[c];
    problem.mechanism().retract(from.at, moves, to.at);
    problem.evaluate(to);
}

bool LeastSquares::isNearlyAtRest(Problem& problem, const Evaluation& now) {
    step_.linearize(problem, now, at_);
    return at_.stationarity < kNearlyStationary;
}

Outcome LeastSquares::descend(Problem& problem, Evaluation& now, const DescentLimits& limits,
                              IkReport& report) {
    Damping damping(problem.reach());
    int slow = 0;  // steps in a row with little progress
    for (int iteration = 0;; ++iteration) {
        // With a posture, goals that are met leave something to do.
        const bool enough = now.worst <= limits.enough;
        if (enough && !problem.hasPosture()) return Outcome::Reached;
        if (iteration >= limits.max_iterations) return Outcome::MaxIterations;
        if (problem.isSpent(now, report)) return Outcome::Stopped;
        step_.linearize(problem, now, at_);
        report.gradient = at_.stationarity;
        if (at_.stationarity < kStationary) return enough ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        const double before = now.total();
        bool accepted = false;
        for (int rejections = 0; rejections < kMostRejections && !accepted; ++rejections) {
            if (step_.solve(problem, now, damping.at(before), at_)) {
                takeStep(problem, now, step_.step(), moves_, candidate_);
                accepted = candidate_.total() < before;
            }
            if (!accepted) damping.raise();
        }
        if (!accepted) return Outcome::Stalled;
        damping.lower();
        std::swap(now, candidate_);
        if (problem.options().record_history) report.history.push_back(now.worst);
        const double progress = 1.0 - now.total() / before;
        slow = progress < (enough ? kSettledProgress : limits.slow_progress) ? slow + 1 : 0;
        if (limits.slow_steps > 0 && slow >= limits.slow_steps) return Outcome::Stalled;
    }
}

}  // namespace ulna::ik::detail
