// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/tree_step.h"

#include <algorithm>

namespace ulna::ik::detail {
namespace {

// Entry (i, j), i >= j, of a lower triangle stored by rows.
constexpr std::size_t at(std::size_t i, std::size_t j) {
    return i * (i + 1) / 2 + j;
}

double dot6(const std::array<double, 6>& a, const std::array<double, 6>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}

void addOuter(std::array<double, 21>& m, const std::array<double, 6>& v, double factor) {
    for (std::size_t i = 0; i < 6; ++i) {
        const double f = v[i] * factor;
        for (std::size_t j = 0; j <= i; ++j) m[at(i, j)] += f * v[j];
    }
}

std::array<double, 6> multiply(const std::array<double, 21>& m, const std::array<double, 6>& v) {
    std::array<double, 6> out = {};
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            out[i] += m[at(i, j)] * v[j];
            out[j] += m[at(i, j)] * v[i];
        }
        out[i] += m[at(i, i)] * v[i];
    }
    return out;
}

std::array<double, 6> scaledTwist(const Problem& problem, std::size_t c) {
    const Mechanism::Twists& t = problem.twists();
    const double s = problem.columnScale()[c];
    return {t.ax[c] * s, t.ay[c] * s, t.az[c] * s, t.bx[c] * s, t.by[c] * s, t.bz[c] * s};
}

}  // namespace

void TreeStep::build(const Problem& problem) {
    const std::size_t links = problem.mechanism().links().size();
    const std::size_t columns = problem.columnCount();
    goals_.resize(links);
    matrices_.resize(links);
    forces_.resize(links);
    velocities_.resize(links);
    wrenches_.resize(columns);
    pivots_.resize(columns);
    pulls_.resize(columns);
    posture_gradient_.resize(columns);
}

void TreeStep::linearize(const Problem& problem, const Evaluation& now,
                         std::span<double> gradient) {
    for (Sym6& m : goals_) m.fill(0.0);
    for (Vec6& f : forces_) f.fill(0.0);
    GoalRows point;
    for (std::size_t g = 0; g < problem.goalRows().size(); ++g) {
        const Problem::Row& row = problem.goalRows()[g];
        if (row.factor == 0.0) continue;
        const int link = problem.parts()[row.first_part].link;
        if (link < 0) continue;
        if (row.point) {
            const Vec3 p = problem.goalPoint(row, now.frames);
            point.wrench[0] = {forceAt(p, {1, 0, 0}), forceAt(p, {0, 1, 0}), forceAt(p, {0, 0, 1})};
        }
        const GoalRows& rows = row.point ? point : now.rows[g];
        for (std::size_t n = 0; n < row.count; ++n) {
            const Wrench& w = rows.wrench[0][n];
            const Vec6 v = {w.moment.x, w.moment.y, w.moment.z, w.force.x, w.force.y, w.force.z};
            addOuter(goals_[static_cast<std::size_t>(link)], v, row.factor * row.factor);
            const double pull = row.factor * now.residual[row.first + n];
            Vec6& f = forces_[static_cast<std::size_t>(link)];
            for (std::size_t i = 0; i < 6; ++i) f[i] += v[i] * pull;
        }
    }
    problem.computePostureGradient(now, posture_gradient_);
    const auto links = problem.mechanism().links();
    // Forces gather towards the root; `velocities_` serves as the running sum.
    std::copy(forces_.begin(), forces_.end(), velocities_.begin());
    for (std::size_t i = links.size(); i-- > 0;) {
        for (std::size_t c = links[i].column; c < links[i].column + links[i].columns; ++c)
            gradient[c] = dot6(scaledTwist(problem, c), velocities_[i]) + posture_gradient_[c];
        if (links[i].parent < 0) continue;
        Vec6& up = velocities_[static_cast<std::size_t>(links[i].parent)];
        for (std::size_t k = 0; k < 6; ++k) up[k] += velocities_[i][k];
    }
}

void TreeStep::solve(const Problem& problem, double damping, std::span<const std::uint8_t> frozen,
                     std::span<double> step) {
    const auto links = problem.mechanism().links();
    const auto curvature = problem.postureCurvature();
    std::copy(goals_.begin(), goals_.end(), matrices_.begin());
    std::vector<Vec6>& forces = velocities_;
    std::copy(forces_.begin(), forces_.end(), forces.begin());
    for (std::size_t i = links.size(); i-- > 0;) {
        Sym6& a = matrices_[i];
        Vec6& b = forces[i];
        for (std::size_t c = links[i].column + links[i].columns; c-- > links[i].column;) {
            const Vec6 s = scaledTwist(problem, c);
            if (frozen[c] != 0) {
                // A coordinate that moves by a given amount only shifts what is below it.
                if (step[c] == 0.0) continue;
                const Vec6 u = multiply(a, s);
                for (std::size_t k = 0; k < 6; ++k) b[k] += u[k] * step[c];
                continue;
            }
            const Vec6 u = multiply(a, s);
            const double pivot = 1.0 / (dot6(s, u) + curvature[c] + damping);
            const double pull = dot6(s, b) + posture_gradient_[c];
            addOuter(a, u, -pivot);
            for (std::size_t k = 0; k < 6; ++k) b[k] -= u[k] * (pull * pivot);
            wrenches_[c] = u;
            pivots_[c] = pivot;
            pulls_[c] = pull;
        }
        if (links[i].parent < 0) continue;
        const auto up = static_cast<std::size_t>(links[i].parent);
        for (std::size_t k = 0; k < 21; ++k) matrices_[up][k] += a[k];
        for (std::size_t k = 0; k < 6; ++k) forces[up][k] += b[k];
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        Vec6 v =
            links[i].parent < 0 ? Vec6{} : velocities_[static_cast<std::size_t>(links[i].parent)];
        for (std::size_t c = links[i].column; c < links[i].column + links[i].columns; ++c) {
            if (frozen[c] == 0) step[c] = -(dot6(wrenches_[c], v) + pulls_[c]) * pivots_[c];
            const Vec6 s = scaledTwist(problem, c);
            for (std::size_t k = 0; k < 6; ++k) v[k] += s[k] * step[c];
        }
        velocities_[i] = v;
    }
}

}  // namespace ulna::ik::detail
