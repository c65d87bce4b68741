// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/cost_hessian.h"

#include <algorithm>
#include <cmath>

namespace ulna::ik::detail {
namespace {

// What a wrench does along a twist; both as a moment or angular part and a force or linear part.
double work(const Wrench& wrench, const Wrench& twist) {
    return dot(wrench.moment, twist.moment) + dot(wrench.force, twist.force);
}

// How a twist that `by` carries along changes.
Wrench carried(const Wrench& by, const Wrench& twist) {
    return {cross(by.moment, twist.moment),
            cross(by.moment, twist.force) + cross(by.force, twist.moment)};
}

// Coordinates of one ball are parts of one exponential: their second derivatives are symmetric.
bool shareBall(const Problem& problem, std::size_t a, std::size_t b) {
    const auto columns = problem.mechanism().columns();
    return columns[a].link == columns[b].link &&
           problem.mechanism().links()[columns[a].link].kind == LinkKind::Ball;
}

}  // namespace

void CostHessian::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    free_.reserve(n);
    if (problem.isCoupled()) {
        leading_.reserve(n);
        movers_.reserve(n);
        if (n <= kNewtonColumns) folded_.reserve(n * n);
    }
    above_.reserve(n);
    above_other_.reserve(n);
    twists_.reserve(n);
    if (n <= kNewtonColumns) matrix_.reserve(n * n);
    moves_.assign(n, 0.0);
    gradient_.assign(n, 0.0);
    ahead_.assign(n, 0.0);
    problem.size(trial_);
    whole_.build(problem);
}

double CostHessian::largestCurvature() const {
    const std::size_t count = free_.size();
    double largest = rounding_;
    for (std::size_t i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(matrix_[i * count + i]));
    return largest;
}

void CostHessian::compute(const Problem& problem, const Evaluation& now,
                          std::span<const double> gradient,
                          std::span<const std::uint8_t> straight) {
    if (problem.isCoupled()) addFollowers(problem);
    const std::size_t count = free_.size();
    matrix_.assign(count * count, 0.0);
    if (problem.hasPosture()) addPostures(problem, now);
    takeTwists(problem);
    const auto rows = problem.goalRows();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Problem::Row& row = rows[r];
        if (row.factor == 0.0) continue;
        if (!straight.empty() && straight[r] != 0)
            addStraight(problem, row);
        else if (row.whole)
            addWhole(problem, now, row);
        else if (row.point || (row.orientation && !problem.planar()))
            addGoal(problem, now, row);
        else
            addBodies(problem, now, row);
    }
    addCones(problem, now, gradient);
    if (problem.isCoupled()) foldFollowers(problem);
}

// What follows a free coordinate bends the cost too.
void CostHessian::addFollowers(const Problem& problem) {
    leading_ = free_;
    for (const Mechanism::Coupling& c : problem.mechanism().couplings()) {
        if (std::binary_search(leading_.begin(), leading_.end(), c.leader))
            free_.push_back(c.column);
    }
    std::sort(free_.begin(), free_.end());
}

CostHessian::Mover CostHessian::moverOf(const Problem& problem, std::size_t column) const {
    Mover out;
    for (const Mechanism::Coupling& c : problem.mechanism().couplings()) {
        if (c.column != column) continue;
        column = c.leader;
        out.by = problem.coupledBy(c);
        break;
    }
    out.place = static_cast<std::size_t>(
        std::lower_bound(leading_.begin(), leading_.end(), column) - leading_.begin());
    return out;
}

// Ct H C, where C says how the free coordinates move themselves and what follows them.
void CostHessian::foldFollowers(const Problem& problem) {
    movers_.clear();
    for (const std::size_t column : free_) movers_.push_back(moverOf(problem, column));
    const std::size_t all = free_.size();
    const std::size_t count = leading_.size();
    folded_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < all; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const Mover& a = movers_[i];
            const Mover& b = movers_[j];
            // An entry beside the diagonal stands for two, and both may fall on one.
            const double times = i != j && a.place == b.place ? 2.0 : 1.0;
            folded_[std::max(a.place, b.place) * count + std::min(a.place, b.place)] +=
                times * a.by * b.by * matrix_[i * all + j];
        }
    }
    matrix_ = folded_;
    free_ = leading_;
}

// A posture measures hinges and slides by their own values, so that its curvature is constant
// there. Balls it measures by the whole rotation: differences of its gradient, which need no
// kinematics.
void CostHessian::addPostures(const Problem& problem, const Evaluation& now) {
    constexpr double kStep = 1e-5;
    const Mechanism& mechanism = problem.mechanism();
    const auto columns = mechanism.columns();
    const std::size_t count = free_.size();
    std::fill(moves_.begin(), moves_.end(), 0.0);
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t c = free_[j];
        const double curvature = problem.postureCurvature()[c];
        if (curvature == 0.0) continue;
        const Mechanism::Link& link = mechanism.links()[columns[c].link];
        const JointKind kind = mechanism.skeleton().kind(link.joint);
        const bool whole = columns[c].angle && (kind == JointKind::Ball || kind == JointKind::Free);
        if (!whole || link.cone) {
            matrix_[j * count + j] += curvature;
            continue;
        }
        double way = 0.0;  // how far apart both sides are; limits may stop one
        for (const double side : {1.0, -1.0}) {
            moves_[c] = side * kStep;
            mechanism.retract(now.at, moves_, trial_.at);
            way += link.kind == LinkKind::Ball ? kStep
                                               : side * (trial_.at.values[c] - now.at.values[c]);
            problem.computePostureGradient(trial_, side > 0.0 ? ahead_ : gradient_);
        }
        moves_[c] = 0.0;
        if (!(way > 0.0)) {
            matrix_[j * count + j] += curvature;
            continue;
        }
        const double per_way = problem.columnScale()[c] / way;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t other = free_[i];
            if (mechanism.links()[columns[other].link].joint != link.joint) continue;
            // Both triangles' entries count half: the result is symmetric.
            matrix_[std::max(i, j) * count + std::min(i, j)] +=
                (i == j ? 1.0 : 0.5) * per_way * (ahead_[other] - gradient_[other]);
        }
    }
}

void CostHessian::addStraight(const Problem& problem, const Problem::Row& row) {
    const std::size_t count = free_.size();
    for (std::size_t k = 0; k < row.count; ++k) {
        problem.computeRow(row.first + k, moves_);
        for (std::size_t i = 0; i < count; ++i) {
            const double own = moves_[free_[i]];
            if (own == 0.0) continue;
            for (std::size_t j = 0; j <= i; ++j) matrix_[i * count + j] += own * moves_[free_[j]];
        }
    }
}

// The gradient along coordinate i is W_b . s_i for every body b below it. Coordinate j changes the
// wrench by D s_j and, where it is above i, carries the twist s_i along.
void CostHessian::addBodies(const Problem& problem, const Evaluation& now,
                            const Problem::Row& row) {
    bodies_.compute(problem, now, row);
    const std::size_t count = free_.size();
    const auto parts = problem.parts().subspan(row.first_part, row.parts);
    for (const Problem::Part& a : parts) {
        findAbove(problem, a, above_);
        for (const Problem::Part& b : parts) {
            findAbove(problem, b, above_other_);
            for (const std::size_t j : above_other_) {
                const Wrench by_j = bodies_.change(a.body, b.body, twists_[j]);
                for (const std::size_t i : above_) {
                    const bool ball = i != j && shareBall(problem, free_[i], free_[j]);
                    if (i < j && !ball) continue;
                    matrix_[std::max(i, j) * count + std::min(i, j)] +=
                        (ball ? 0.5 : 1.0) * work(by_j, twists_[i]);
                }
            }
        }
        const Wrench& wrench = bodies_.wrench(a.body);
        for (const std::size_t i : above_) {
            for (const std::size_t j : above_) {
                if (j >= i) break;
                if (!shareBall(problem, free_[i], free_[j]))
                    matrix_[i * count + j] += work(wrench, carried(twists_[j], twists_[i]));
            }
        }
    }
}

// Likewise for all bodies at once: W_i is the sum over those below coordinate i.
void CostHessian::addWhole(const Problem& problem, const Evaluation& now, const Problem::Row& row) {
    const std::size_t count = free_.size();
    const auto columns = problem.mechanism().columns();
    whole_.begin(problem, now, row);
    for (std::size_t j = 0; j < count; ++j) {
        whole_.moveAlong(problem, now, row, columns[free_[j]].link, twists_[j]);
        for (std::size_t i = 0; i < count; ++i) {
            const bool ball = i != j && shareBall(problem, free_[i], free_[j]);
            if (i < j && !ball) continue;
            const std::size_t link = columns[free_[i]].link;
            double value = work(whole_.change(link), twists_[i]);
            if (ball) value *= 0.5;
            if (!ball && i != j && whole_.isBelow(link))
                value += work(whole_.wrench(link), carried(twists_[j], twists_[i]));
            matrix_[std::max(i, j) * count + std::min(i, j)] += value;
        }
    }
}

void CostHessian::addCones(const Problem& problem, const Evaluation& now,
                           std::span<const double> gradient) {
    const Mechanism& mechanism = problem.mechanism();
    const std::size_t count = free_.size();
    const auto place = [&](std::size_t column) {
        return static_cast<std::size_t>(std::lower_bound(free_.begin(), free_.end(), column) -
                                        free_.begin());
    };
    for (const std::uint32_t link : mechanism.coneLinks()) {
        const std::size_t c = mechanism.links()[link].column;
        const double scale = problem.columnScale()[c];
        const std::array<double, 3> descent = {-gradient[c], -gradient[c + 1], -gradient[c + 2]};
        const Mechanism::ConeBend bend =
            mechanism.coneBend(mechanism.links()[link], now.at.rotations[link], descent);
        const auto add = [&](std::size_t i, std::size_t j, double value) {
            const std::size_t row = place(c + i);
            const std::size_t column = place(c + j);
            if (row < count && column < count && free_[row] == c + i && free_[column] == c + j)
                matrix_[row * count + column] += scale * value;
        };
        add(1, 0, bend.swing_around);
        add(1, 1, bend.around_around);
        add(2, 0, bend.swing_twist);
        add(2, 1, bend.around_twist);
    }
}

// The free coordinates that move a body, as indices into free_.
void CostHessian::findAbove(const Problem& problem, const Problem::Part& part,
                            std::vector<std::size_t>& out) const {
    out.clear();
    for (std::size_t i = 0; i < free_.size(); ++i) {
        if (problem.isAbove(free_[i], part)) out.push_back(i);
    }
}

void CostHessian::takeTwists(const Problem& problem) {
    const Mechanism::Twists& t = problem.twists();
    twists_.clear();
    for (const std::size_t c : free_) {
        const double s = problem.columnScale()[c];
        twists_.push_back(
            {Vec3{t.ax[c], t.ay[c], t.az[c]} * s, Vec3{t.bx[c], t.by[c], t.bz[c]} * s});
    }
}

void CostHessian::addGoal(const Problem& problem, const Evaluation& now, const Problem::Row& row) {
    findAbove(problem, problem.parts()[row.first_part], above_);
    if (!row.point) {
        addOrientation(problem, now, row);
        return;
    }
    addPoint(problem, now, row);
}

// A point p moves by a_i x p + b_i with coordinate i, and that by a_i x (a_j x p + b_j) with
// coordinates i above j.
void CostHessian::addPoint(const Problem& problem, const Evaluation& now, const Problem::Row& row) {
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const Mechanism::Twists& t = problem.twists();
    const bool planar = problem.planar();
    const Vec3 p = problem.goalPoint(row, now.frames);
    const double weight = row.factor * row.factor;
    Vec3 pull = (p - row.target) * weight;
    if (planar) pull.z = 0.0;
    for (const std::size_t j : above_) {
        const std::size_t cj = free_[j];
        const Vec3 aj{t.ax[cj], t.ay[cj], t.az[cj]};
        Vec3 move_j = cross(aj, p) + Vec3{t.bx[cj], t.by[cj], t.bz[cj]};
        if (planar) move_j.z = 0.0;
        const Vec3 bend = cross(move_j, pull);
        for (const std::size_t i : above_) {
            if (i > j) break;
            const std::size_t ci = free_[i];
            const Vec3 ai{t.ax[ci], t.ay[ci], t.az[ci]};
            Vec3 move_i = cross(ai, p) + Vec3{t.bx[ci], t.by[ci], t.bz[ci]};
            if (planar) move_i.z = 0.0;
            double curve = dot(ai, bend);
            if (i != j && shareBall(problem, ci, cj))
                curve = 0.5 * (curve + dot(aj, cross(move_i, pull)));
            matrix_[j * count + i] +=
                scale[ci] * scale[cj] * (weight * dot(move_i, move_j) + curve);
        }
    }
}

// The cost of an orientation is linear in the rotation: factor^2 / 2 (3 - trace M), where M takes
// the target's axes to the present ones. Coordinates i above j rotate M by a_i x (a_j x M).
void CostHessian::addOrientation(const Problem& problem, const Evaluation& now,
                                 const Problem::Row& row) {
    const int link = problem.parts()[row.first_part].link;
    if (link < 0) return;
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const Mechanism::Twists& t = problem.twists();
    const RigidFrame& f = now.frames[static_cast<std::size_t>(link)];
    const RigidFrame& w = row.target_axes;
    const double trace = dot(f.x, w.x) + dot(f.y, w.y) + dot(f.z, w.z);
    const double weight = 0.5 * row.factor * row.factor;
    for (const std::size_t j : above_) {
        const std::size_t cj = free_[j];
        const Vec3 aj{t.ax[cj], t.ay[cj], t.az[cj]};
        const Vec3 turned = f.x * dot(w.x, aj) + f.y * dot(w.y, aj) + f.z * dot(w.z, aj);
        const Vec3 back = w.x * dot(f.x, aj) + w.y * dot(f.y, aj) + w.z * dot(f.z, aj);
        for (const std::size_t i : above_) {
            if (i > j) break;
            const std::size_t ci = free_[i];
            const Vec3 ai{t.ax[ci], t.ay[ci], t.az[ci]};
            double curve = dot(ai, turned);
            if (i != j && shareBall(problem, ci, cj)) curve = 0.5 * (curve + dot(ai, back));
            matrix_[j * count + i] +=
                weight * scale[ci] * scale[cj] * (trace * dot(ai, aj) - curve);
        }
    }
}

void CostHessian::estimate(Problem& problem, const Evaluation& now, const BoundedGradient& at) {
    constexpr double kStep = 1e-5;
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    matrix_.assign(count * count, 0.0);
    std::fill(moves_.begin(), moves_.end(), 0.0);
    gradient_.resize(moves_.size());
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t c = free_[j];
        // One-sided where a limit is near.
        const double ahead = std::min(kStep * scale[c], at.up[c]);
        const double back = std::max(-kStep * scale[c], at.down[c]);
        if (!(ahead > back)) continue;
        for (const double move : {ahead, back}) {
            std::fill(moves_.begin(), moves_.end(), 0.0);
            moves_[c] = move;
            problem.mechanism().retract(now.at, moves_, trial_.at);
            problem.evaluate(trial_);
            problem.linearize(trial_);
            problem.computeGradient(trial_, 3, gradient_);
            const double weight = (move == ahead ? 1.0 : -1.0) * scale[c] / (ahead - back);
            for (std::size_t i = 0; i < count; ++i) {
                // Both triangles' entries count half: the result is symmetric.
                const std::size_t entry = i >= j ? i * count + j : j * count + i;
                matrix_[entry] += (i == j ? 1.0 : 0.5) * weight * gradient_[free_[i]];
            }
        }
    }
}

}  // namespace ulna::ik::detail
