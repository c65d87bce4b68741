// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/bounded_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::ik::detail {

void BoundedGradient::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    value.assign(n, 0.0);
    down.assign(n, -std::numeric_limits<double>::infinity());
    up.assign(n, std::numeric_limits<double>::infinity());
    state.assign(n, Free);
}

void BoundedGradient::bound(Problem& problem, const Evaluation& now, bool freeze) {
    const bool bounded = problem.mechanism().bounded();
    if (bounded) problem.mechanism().computeRoom(now.at, down, up);
    stationarity = problem.stationarity(now, value, down, up);
    for (std::size_t c = 0; c < value.size() && bounded; ++c) {
        const bool blocked = isBlocked(c);
        state[c] = blocked ? Blocked : Free;
        if (blocked && freeze) problem.freeze(c);
    }
}

void BoundedGradient::linearize(Problem& problem, const Evaluation& now) {
    problem.linearize(now);
    problem.computePostureGradient(now, value);
    problem.addGoalGradient(now, 3, value);
    bound(problem, now, true);
}

bool BoundedGradient::isPushed(const Problem& problem, std::size_t c, double stiffest) const {
    return value[c] != 0.0 &&
           std::abs(value[c] * problem.columnScale()[c]) >= stiffest * std::abs(roomAgainst(c));
}

double stiffestCurvature(const Problem& problem, const Evaluation& now) {
    double out = problem.reach() * std::sqrt(2.0 * now.total());
    for (const Problem::Row& row : problem.goalRows()) {
        // An angle's factor has the reach in it.
        const bool angle = errorIsAngle(problem.goals()[row.goal].kind);
        const double stiffness = row.factor * (angle ? 1.0 : problem.reach());
        out += stiffness * stiffness;
    }
    return out;
}

}  // namespace ulna::ik::detail
