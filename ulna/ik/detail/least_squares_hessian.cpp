// SPDX-License-Identifier: Apache-2.0

// Second derivatives of the cost: exact for the commonest goals, by differences for the others.
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

// Whether the second derivatives of every goal that counts are known in closed form.
bool LeastSquares::isAnalytic(const Problem& problem) {
    const auto rows = problem.goalRows();
    return !problem.mechanism().hasCones() && !problem.mechanism().hasVectors() &&
           std::all_of(rows.begin(), rows.end(), [&](const Problem::Row& row) {
               return row.factor == 0.0 || row.point || (row.turn && !problem.planar());
           });
}

// Lower triangle of the exact second derivatives of the cost over the free coordinates, of the
// posture's up to its bend.
void LeastSquares::computeHessian(const Problem& problem, const Evaluation& now) {
    const std::size_t count = free_.size();
    hessian_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count && problem.hasPosture(); ++i)
        hessian_[i * count + i] += problem.postureCurvature()[free_[i]];
    for (const Problem::Row& row : problem.goalRows()) {
        if (row.factor != 0.0) addGoalHessian(problem, now, row);
    }
}

// The free coordinates that move a goal, in above_, as indices into free_.
void LeastSquares::findAbove(const Problem& problem, const Problem::Row& row) {
    above_.clear();
    for (std::size_t i = 0; i < free_.size(); ++i) {
        if (problem.isAbove(free_[i], row)) above_.push_back(i);
    }
}

void LeastSquares::addGoalHessian(const Problem& problem, const Evaluation& now,
                                  const Problem::Row& row) {
    findAbove(problem, row);
    if (!row.point) {
        addTurnHessian(problem, now, row);
        return;
    }
    const double weight = row.factor * row.factor;
    Vec3 pull = (problem.goalPoint(row, now.frames) - row.target) * weight;
    if (problem.planar()) pull.z = 0.0;
    addPointHessian(problem, now, row, weight, pull);
}

// A point p moves by a_i x p + b_i with coordinate i, and that by a_i x (a_j x p + b_j) with
// coordinates i above j.
void LeastSquares::addPointHessian(const Problem& problem, const Evaluation& now,
                                   const Problem::Row& row, double weight, const Vec3& pull) {
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const Mechanism::Twists& t = problem.twists();
    const bool planar = problem.planar();
    const Vec3 p = problem.goalPoint(row, now.frames);
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
            hessian_[j * count + i] +=
                scale[ci] * scale[cj] * (weight * dot(move_i, move_j) + curve);
        }
    }
}

// The cost of an orientation is linear in the rotation: factor^2 / 2 (3 - trace M), where M takes
// the wished axes to the present ones. Coordinates i above j turn M by a_i x (a_j x M).
void LeastSquares::addTurnHessian(const Problem& problem, const Evaluation& now,
                                  const Problem::Row& row) {
    const int link = problem.parts()[row.first_part].link;
    if (link < 0) return;
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const Mechanism::Twists& t = problem.twists();
    const RigidFrame& f = now.frames[static_cast<std::size_t>(link)];
    const RigidFrame& w = row.wished;
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
            hessian_[j * count + i] +=
                weight * scale[ci] * scale[cj] * (trace * dot(ai, aj) - curve);
        }
    }
}

// Of an orientation that is met, how its rows bend, as seen by a pull: by a_i x a_j / 2 with
// coordinates i above j.
void LeastSquares::addTurnBend(const Problem& problem, const Vec3& pull) {
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const Mechanism::Twists& t = problem.twists();
    for (const std::size_t j : above_) {
        const std::size_t cj = free_[j];
        const Vec3 bend = cross({t.ax[cj], t.ay[cj], t.az[cj]}, pull) * (0.5 * scale[cj]);
        for (const std::size_t i : above_) {
            if (i >= j) break;
            const std::size_t ci = free_[i];
            if (!shareBall(problem, ci, cj))
                hessian_[j * count + i] +=
                    scale[ci] * dot(Vec3{t.ax[ci], t.ay[ci], t.az[ci]}, bend);
        }
    }
}

// Turns of one ball are parts of one exponential: their second derivatives are symmetric.
bool LeastSquares::shareBall(const Problem& problem, std::size_t a, std::size_t b) {
    const auto columns = problem.mechanism().columns();
    return columns[a].link == columns[b].link &&
           problem.mechanism().links()[columns[a].link].kind == LinkKind::Ball;
}

// The same by central differences of the gradient along the coordinates' own paths: for any goal
// and any limit.
void LeastSquares::estimateHessian(Problem& problem, const Evaluation& now) {
    constexpr double kStep = 1e-5;
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    hessian_.assign(count * count, 0.0);
    std::fill(moves_.begin(), moves_.end(), 0.0);
    newton_rhs_.resize(moves_.size());
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t c = free_[j];
        // One-sided where a bound is near.
        const double ahead = std::min(kStep * scale[c], up_[c]);
        const double back = std::max(-kStep * scale[c], down_[c]);
        if (!(ahead > back)) continue;
        for (const double move : {ahead, back}) {
            std::fill(moves_.begin(), moves_.end(), 0.0);
            moves_[c] = move;
            problem.mechanism().retract(now.at, moves_, trial_.at);
            problem.evaluate(trial_);
            problem.linearize(trial_);
            problem.computeGradient(trial_, 3, newton_rhs_);
            const double weight = (move == ahead ? 1.0 : -1.0) * scale[c] / (ahead - back);
            for (std::size_t i = 0; i < count; ++i) {
                // Both triangles' entries count half: the result is symmetric.
                const std::size_t at = i >= j ? i * count + j : j * count + i;
                hessian_[at] += (i == j ? 1.0 : 0.5) * weight * newton_rhs_[free_[i]];
            }
        }
    }
}

// Second derivatives of level 2 along the null space of level 1, in hessian_; across the null space
// it is stiff, so that steps stay within. Needs what projectSecond left, and leaves it.
void LeastSquares::computeSecondHessian(Problem& problem, const Evaluation& now) {
    const std::size_t n = problem.columnCount();
    free_.clear();
    for (std::size_t c = 0; c < n; ++c) {
        if (state_[c] == Free) free_.push_back(c);
    }
    computeProjector(problem);
    // The bend of level 1 is known where it is met.
    constexpr double kMet = 1e-3;  // of the tolerances
    bool met = isAnalytic(problem);
    for (const Problem::Row& row : problem.goalRows()) {
        if (row.level == 1 && row.factor != 0.0)
            met = met && now.errors[row.goal] <= kMet * row.tolerance;
    }
    if (met) {
        computeLagrangeHessian(problem, now);
    } else {
        estimateSecondHessian(problem, now);
        projectSecond(problem, now);
    }
    const std::size_t count = free_.size();
    hessian_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < count; ++k)
                sum += projector_[i * count + k] * newton_[k * count + j];
            hessian_[std::max(i, j) * count + std::min(i, j)] += i == j ? sum : 0.5 * sum;
        }
    }
    const double largest = largestCurvature();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            hessian_[i * count + j] += largest * ((i == j ? 1.0 : 0.0) - projector_[i * count + j]);
    }
}

// Onto the null space of level 1, over the free coordinates.
void LeastSquares::computeProjector(const Problem& problem) {
    const std::size_t m1 = problem.levelOneRows();
    const std::size_t count = free_.size();
    projector_.assign(count * count, 0.0);
    for (std::size_t j = 0; j < count; ++j) {
        problem.computeColumn(free_[j], column_);
        std::copy(column_.begin(), column_.begin() + static_cast<std::ptrdiff_t>(m1),
                  first_rhs_.begin());
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {first_solution_.data(), m1});
        problem.applyTransposed(first_solution_, moves_);
        for (std::size_t i = 0; i < count; ++i)
            projector_[i * count + j] = (i == j ? 1.0 : 0.0) - moves_[free_[i]];
    }
}

// Columns of newton_: how the projected gradient changes along the null space. Level 2's own second
// derivatives, and those of level 1 by the multipliers with which it holds level 2's pull.
void LeastSquares::computeLagrangeHessian(Problem& problem, const Evaluation& now) {
    const std::size_t count = free_.size();
    newton_rhs_.resize(problem.columnCount());
    projectGradient(problem, now, newton_rhs_);
    hessian_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count && problem.hasPosture(); ++i)
        hessian_[i * count + i] += problem.postureCurvature()[free_[i]];
    for (const Problem::Row& row : problem.goalRows()) {
        if (row.factor == 0.0) continue;
        if (row.level == 2) {
            addGoalHessian(problem, now, row);
            continue;
        }
        Vec3 pull;
        for (std::size_t k = 0; k < row.count; ++k)
            pull[k] = -row.factor * first_solution_[row.first + k];
        findAbove(problem, row);
        if (row.point)
            addPointHessian(problem, now, row, 0.0, pull);
        else
            addTurnBend(problem, pull);
    }
    newton_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < count; ++k)
                sum +=
                    hessian_[std::max(i, k) * count + std::min(i, k)] * projector_[k * count + j];
            newton_[i * count + j] = sum;
        }
    }
}

// The same by differences.
void LeastSquares::estimateSecondHessian(Problem& problem, const Evaluation& now) {
    constexpr double kStep = 1e-5;
    const std::size_t n = problem.columnCount();
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    newton_.assign(count * count, 0.0);
    newton_rhs_.resize(n);
    for (std::size_t j = 0; j < count; ++j) {
        for (const double side : {1.0, -1.0}) {
            std::fill(moves_.begin(), moves_.end(), 0.0);
            for (std::size_t i = 0; i < count; ++i)
                moves_[free_[i]] = side * kStep * projector_[i * count + j] * scale[free_[i]];
            problem.mechanism().retract(now.at, moves_, trial_.at);
            problem.evaluate(trial_);
            problem.linearize(trial_);
            projectGradient(problem, trial_, newton_rhs_);
            for (std::size_t i = 0; i < count; ++i)
                newton_[i * count + j] += side * newton_rhs_[free_[i]] / (2.0 * kStep);
        }
    }
}

}  // namespace ulna::ik::detail
