// SPDX-License-Identifier: Apache-2.0

// Wang & Chen, "A combined optimization method for solving the inverse kinematics problem of
// mechanical manipulators" (1991). With several goals below a link, its turn is the exact minimiser
// over all of them.
#include "ulna/ik/detail/ccd.h"

#include <cmath>

namespace ulna::ik::detail {
namespace {

// The attempt has stalled when this many sweeps bring less than this part of the cost.
constexpr int kIdleSweeps = 20;
constexpr double kIdleProgress = 1e-3;

}  // namespace

void Ccd::build(const Problem& problem) {
    const auto links = problem.mechanism().links();
    first_row_.assign(1, 0);
    rows_.clear();
    for (std::size_t i = 0; i < links.size(); ++i) {
        for (std::size_t r = 0; r < problem.goalRows().size(); ++r) {
            const Problem::Part& part = problem.parts()[problem.goalRows()[r].first_part];
            if (problem.isAbove(links[i].column, part)) rows_.push_back(r);
        }
        first_row_.push_back(rows_.size());
    }
    points_.assign(problem.goalRows().size(), {});
    pulls_.reserve(problem.goalRows().size());
}

void Ccd::turnLink(const Problem& problem, std::size_t i, const RigidFrame& frame,
                   MechanismState& at) {
    const Mechanism::Link& link = problem.mechanism().links()[i];
    if (link.kind == LinkKind::Ball && !link.cone && first_row_[i + 1] == first_row_[i] + 1 &&
        !(problem.options().joint_damping > 0.0)) {
        // The commonest case by far: a free ball below which one goal hangs aims straight at it.
        const std::size_t r = rows_[first_row_[i]];
        const Problem::Row& row = problem.goalRows()[r];
        if (row.factor == 0.0) return;
        const Vec3 from = points_[r] - frame.p;
        const Vec3 to = row.target - frame.p;
        const double to2 = dot(to, to);
        if (!(to2 > 0.0)) return;
        const Quat turn = rotationBetween(from, to);
        const Vec3 v = turn.vector();
        at.rotations[i] = nearlyNormalized(
            at.rotations[i] * Quat{dot(frame.x, v), dot(frame.y, v), dot(frame.z, v), turn.w});
        points_[r] = frame.p + to * std::sqrt(dot(from, from) / to2);
        return;
    }
    pulls_.clear();
    for (std::size_t k = first_row_[i]; k < first_row_[i + 1]; ++k) {
        const Problem::Row& row = problem.goalRows()[rows_[k]];
        if (row.factor == 0.0) continue;
        pulls_.push_back(
            {points_[rows_[k]] - frame.p, row.target - frame.p, row.factor * row.factor});
    }
    if (pulls_.empty()) return;
    if (link.kind == LinkKind::Slide || link.kind == LinkKind::Slide3) {
        const Vec3 shift = aim_.slide(problem.mechanism(), i, frame, pulls_, at);
        for (std::size_t k = first_row_[i]; k < first_row_[i + 1]; ++k) points_[rows_[k]] += shift;
        return;
    }
    // Products of many small turns drift from unit length.
    const Quat turn =
        aim_.turn(problem.mechanism(), i, frame, pulls_, problem.options().joint_damping, at);
    if (link.kind == LinkKind::Ball) at.rotations[i] = nearlyNormalized(at.rotations[i]);
    for (std::size_t k = first_row_[i]; k < first_row_[i + 1]; ++k) {
        Vec3& p = points_[rows_[k]];
        p = frame.p + rotate(turn, p - frame.p);
    }
}

void Ccd::sweep(const Problem& problem, Evaluation& now) {
    const Mechanism& mechanism = problem.mechanism();
    const std::size_t count = mechanism.links().size();
    for (std::size_t r = 0; r < points_.size(); ++r)
        points_[r] = problem.goalPoint(problem.goalRows()[r], now.frames);
    if (problem.options().ccd_direction == CcdDirection::EndToRoot) {
        for (std::size_t i = count; i-- > 0;) turnLink(problem, i, now.frames[i], now.at);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            mechanism.computeFrame(now.at, i, now.frames);
            turnLink(problem, i, now.frames[i], now.at);
            mechanism.computeFrame(now.at, i, now.frames);
        }
    }
}

Outcome Ccd::solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report) {
    int idle = 0;
    double idle_cost = now.total();
    for (int iteration = 0;; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        if (iteration >= max_iterations) return Outcome::MaxIterations;
        if (problem.isSpent(now, report)) return Outcome::Stopped;
        sweep(problem, now);
        problem.evaluate(now);
        ++report.iterations;
        if (problem.options().record_history) report.history.push_back(now.worst);
        if (++idle < kIdleSweeps) continue;
        if (now.total() > (1.0 - kIdleProgress) * idle_cost) return Outcome::Stalled;
        idle = 0;
        idle_cost = now.total();
    }
}

}  // namespace ulna::ik::detail
