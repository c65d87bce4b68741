// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/whole_curvature.h"

#include <algorithm>

namespace ulna::ik::detail {

// The wrenches of the cost at the bodies' own links.
void WholeCurvature::addWrenches(const Problem& problem, const Problem::Row& row,
                                 std::span<const BodyFrame> bodies, double factor,
                                 std::vector<Wrench>& out) {
    GoalRows rows;
    problem.evaluateWholeAt(row, bodies, rows, rows_);
    for (std::size_t b = 0; b < row.bodies; ++b) {
        const int link = problem.wholeLink(row.first_body + b);
        if (link < 0) continue;
        Wrench& sum = out[static_cast<std::size_t>(link)];
        for (std::size_t k = 0; k < row.count; ++k) {
            const double pull = factor * row.factor * row.factor * rows.residual[k];
            sum.moment += rows_[b][k].moment * pull;
            sum.force += rows_[b][k].force * pull;
        }
    }
}

void WholeCurvature::sumTowardsRoot(const Problem& problem, std::vector<Wrench>& out) const {
    const auto links = problem.mechanism().links();
    for (std::size_t i = links.size(); i-- > 0;) {
        if (links[i].parent < 0) continue;
        Wrench& up = out[static_cast<std::size_t>(links[i].parent)];
        up.moment += out[i].moment;
        up.force += out[i].force;
    }
}

void WholeCurvature::build(const Problem& problem) {
    const std::size_t links =
        problem.wholeJoints().empty() ? 0 : problem.mechanism().links().size();
    wrenches_.reserve(links);
    changes_.reserve(links);
    below_.reserve(links);
    moved_.reserve(problem.wholeJoints().size());
    rows_.reserve(problem.wholeJoints().size());
}

void WholeCurvature::begin(const Problem& problem, const Evaluation& now, const Problem::Row& row) {
    const std::size_t links = problem.mechanism().links().size();
    rows_.resize(row.bodies);
    moved_.resize(row.bodies);
    below_.resize(links);
    wrenches_.assign(links, {});
    addWrenches(problem, row, std::span(now.whole_bodies).subspan(row.first_body, row.bodies), 1.0,
                wrenches_);
    sumTowardsRoot(problem, wrenches_);
}

void WholeCurvature::moveAlong(const Problem& problem, const Evaluation& now,
                               const Problem::Row& row, std::size_t link, const Wrench& twist) {
    constexpr double kStep = 1e-5;  // radians, and of the reach
    const auto links = problem.mechanism().links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        const int parent = links[i].parent;
        below_[i] = i == link || (parent >= 0 && below_[static_cast<std::size_t>(parent)] != 0);
    }
    changes_.assign(links.size(), {});
    const double size = std::max(length(twist.moment), length(twist.force) / problem.reach());
    if (!(size > 0.0)) return;
    const double step = kStep / size;
    for (const double side : {step, -step}) {
        const Quat turn = quatExp(twist.moment * side);
        const Mat3 axes = toMatrix(turn);
        for (std::size_t b = 0; b < row.bodies; ++b) {
            BodyFrame& body = moved_[b];
            body = now.whole_bodies[row.first_body + b];
            const int own = problem.wholeLink(row.first_body + b);
            if (own < 0 || below_[static_cast<std::size_t>(own)] == 0) continue;
            body.orientation = axes * body.orientation;
            body.position = axes * body.position + twist.force * side;
        }
        addWrenches(problem, row, moved_, 0.5 / side, changes_);
    }
    sumTowardsRoot(problem, changes_);
}

}  // namespace ulna::ik::detail
