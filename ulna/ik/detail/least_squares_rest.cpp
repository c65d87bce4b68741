// SPDX-License-Identifier: Apache-2.0

// Coming to rest: Newton's method with exact second derivatives, for answers that miss their goals.
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/dense.h"

namespace ulna::detail {

// Lower triangle of the exact second derivatives of the cost over the free coordinates:
// Gauss-Newton for every goal, and for positions how their points' paths bend: the derivative of
// point p by coordinates i above j is a_i x (a_j x p + b_j).
void LeastSquares::computeHessian(const Problem& problem, const Evaluation& now) {
    const std::size_t count = free_.size();
    const auto scale = problem.columnScale();
    const auto curvature = problem.postureCurvature();
    const auto columns = problem.mechanism().columns();
    const auto links = problem.mechanism().links();
    const Mechanism::Twists& t = problem.twists();
    hessian_.assign(count * count, 0.0);
    // Gauss-Newton part, row by row of the Jacobian.
    std::vector<double>& row_values = moves_;
    for (std::size_t r = 0; r < problem.rowCount(); ++r) {
        problem.computeRow(r, row_values);
        for (std::size_t i = 0; i < count; ++i) {
            const double x = row_values[free_[i]];
            if (x == 0.0) continue;
            for (std::size_t j = 0; j <= i; ++j)
                hessian_[i * count + j] += x * row_values[free_[j]];
        }
    }
    for (std::size_t i = 0; i < count; ++i) hessian_[i * count + i] += curvature[free_[i]];
    for (const Problem::Row& row : problem.goalRows()) {
        if (!row.point || row.factor == 0.0) continue;
        const Vec3 p = problem.goalPoint(row, now.frames);
        Vec3 pull = p - row.target;
        if (problem.planar()) pull.z = 0.0;
        pull *= row.factor * row.factor;
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t cj = free_[j];
            if (!problem.isAbove(cj, row)) continue;
            const Vec3 a{t.ax[cj], t.ay[cj], t.az[cj]};
            const Vec3 moved = cross(a, p) + Vec3{t.bx[cj], t.by[cj], t.bz[cj]};
            const Vec3 bend = cross(moved, pull) * scale[cj];
            for (std::size_t i = 0; i <= j; ++i) {
                const std::size_t ci = free_[i];
                if (!problem.isAbove(ci, row)) continue;
                double h = dot(Vec3{t.ax[ci], t.ay[ci], t.az[ci]}, bend) * scale[ci];
                if (i != j && columns[ci].link == columns[cj].link &&
                    links[columns[ci].link].kind == LinkKind::Ball) {
                    // Turns of one ball are parts of one exponential: symmetric in the two.
                    const Vec3 ai{t.ax[ci], t.ay[ci], t.az[ci]};
                    const Vec3 moved_i = cross(ai, p) + Vec3{t.bx[ci], t.by[ci], t.bz[ci]};
                    h = 0.5 * (h + dot(a, cross(moved_i, pull)) * scale[ci] * scale[cj]);
                }
                hessian_[j * count + i] += h;
            }
        }
    }
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

// The direction of most negative curvature, near enough, in newton_rhs_: powers of the Hessian
// shifted by a bound of its largest eigenvalue, from a start that favours no coordinate.
void LeastSquares::mostNegative(std::size_t count) {
    constexpr int kPowers = 60;
    double bound = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < count; ++j)
            sum += std::abs(hessian_[i >= j ? i * count + j : j * count + i]);
        bound = std::max(bound, sum);
    }
    newton_rhs_.resize(count);
    newton_.resize(count * count);
    std::vector<double>& next = newton_;
    for (std::size_t i = 0; i < count; ++i)
        newton_rhs_[i] = std::cos(1.0 + 0.7 * static_cast<double>(i));
    for (int power = 0; power < kPowers; ++power) {
        double length2 = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            double sum = bound * newton_rhs_[i];
            for (std::size_t j = 0; j < count; ++j)
                sum -= hessian_[i >= j ? i * count + j : j * count + i] * newton_rhs_[j];
            next[i] = sum;
            length2 += sum * sum;
        }
        const double factor = length2 > 0.0 ? 1.0 / std::sqrt(length2) : 0.0;
        for (std::size_t i = 0; i < count; ++i) newton_rhs_[i] = next[i] * factor;
    }
}

Outcome LeastSquares::polish(Problem& problem, Evaluation& now, int max_iterations,
                             IkReport& report) {
    newton_steps_ = true;
    const Outcome outcome = comeToRest(problem, now, max_iterations, report);
    newton_steps_ = false;
    return outcome;
}

double LeastSquares::stiffestCurvature(const Problem& problem, const Evaluation& now) {
    double out = problem.reach() * std::sqrt(2.0 * now.total());
    for (const Problem::Row& row : problem.goalRows())
        out += row.factor * row.factor * problem.reach() * problem.reach();
    return out;
}

// How far a coordinate may go the way the gradient pushes it: positive up, negative down.
double LeastSquares::roomAgainstGradient(std::size_t c) const {
    return gradient_[c] < 0.0 ? up_[c] : down_[c];
}

// Whether a coordinate is so close to a bound that even the shortest sensible step goes past it. It
// then goes there, and is left out of the system: projected Newton (Bertsekas 1982).
bool LeastSquares::isPushed(const Problem& problem, std::size_t c, double stiffest) const {
    return gradient_[c] != 0.0 && std::abs(gradient_[c] * problem.columnScale()[c]) >=
                                      stiffest * std::abs(roomAgainstGradient(c));
}

double LeastSquares::largestCurvature() const {
    const std::size_t count = free_.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(hessian_[i * count + i]));
    return largest;
}

// Newton's step of the free coordinates, with the Hessian shifted by a part of its largest entry;
// the others go to their bounds. False when the shifted Hessian is not definite.
bool LeastSquares::solveNewton(double shift) {
    const std::size_t count = free_.size();
    newton_ = hessian_;
    if (!factorCholesky(newton_.data(), count, std::max(shift, kLeastShift) * largestCurvature()))
        return false;
    newton_rhs_.resize(count);
    for (std::size_t i = 0; i < count; ++i) newton_rhs_[i] = -gradient_[free_[i]];
    solveCholesky(newton_.data(), count, newton_rhs_.data());
    step_ = to_bound_;
    for (std::size_t i = 0; i < count; ++i) step_[free_[i]] = newton_rhs_[i];
    return true;
}

// The coordinates of Newton's system, in free_, and how far the others go, in to_bound_.
void LeastSquares::chooseFree(Problem& problem, const Evaluation& now, bool flat) {
    if (flat) {
        // A coordinate that stands at a bound without being pushed may still fall off it: a
        // straight elbow, when the target comes nearer.
        const double weak = kStationary * problem.reach() * std::sqrt(2.0 * now.total());
        problem.linearize(now);
        for (std::size_t c = 0; c < state_.size(); ++c) {
            if (state_[c] == Free) continue;
            if (std::abs(gradient_[c]) < weak && up_[c] > down_[c])
                state_[c] = Free;
            else
                problem.freeze(c);
        }
    }
    const double stiffest = stiffestCurvature(problem, now);
    free_.clear();
    std::fill(to_bound_.begin(), to_bound_.end(), 0.0);
    for (std::size_t c = 0; c < state_.size(); ++c) {
        if (state_[c] != Free) continue;
        if (!flat && isPushed(problem, c, stiffest))
            to_bound_[c] = roomAgainstGradient(c) / problem.columnScale()[c];
        else
            free_.push_back(c);
    }
}

Outcome LeastSquares::comeToRest(Problem& problem, Evaluation& now, int max_iterations,
                                 IkReport& report) {
    const std::size_t n = problem.columnCount();
    if (n == 0) return Outcome::Stationary;
    if (n > kNewtonColumns) {
        // Too many coordinates for a dense system: damped steps for as long as they help.
        newton_steps_ = false;
        patient_ = true;
        const Outcome outcome = descend(problem, now, max_iterations, report);
        patient_ = false;
        return outcome;
    }
    bool analytic = !problem.mechanism().hasCones() && !problem.mechanism().hasVectors();
    for (const Problem::Row& row : problem.goalRows())
        analytic = analytic && (row.point || row.factor == 0.0);
    double shift = 0.0;  // of the Hessian, relative to its largest entry
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        prepare(problem, now);
        const bool flat = stationarity_ < kStationary;
        chooseFree(problem, now, flat);
        if (free_.empty() && flat) return Outcome::Stationary;
        if (analytic && iteration < kAnalyticSteps)
            computeHessian(problem, now);
        else
            estimateHessian(problem, now);
        const std::size_t count = free_.size();
        const double largest = largestCurvature();
        if (!(largest > 0.0) && flat) return Outcome::Stationary;
        if (flat) {
            newton_ = hessian_;
            if (factorCholesky(newton_.data(), count, kNegative * largest))
                return Outcome::Stationary;
        }
        ++report.iterations;
        const double before = now.total();
        bool accepted = false;
        for (int tries = 0; tries < 40 && !accepted; ++tries) {
            if (flat) {
                std::fill(step_.begin(), step_.end(), 0.0);
                // A saddle: a straight limb, say. Leave it the way it falls off.
                if (tries == 0) mostNegative(count);
                // Either way along the direction; bounds may close one.
                const double size = (tries % 2 == 0 ? 0.1 : -0.1) * std::pow(0.5, tries / 2);
                for (std::size_t i = 0; i < count; ++i) step_[free_[i]] = size * newton_rhs_[i];
            } else if (!solveNewton(shift)) {
                shift = std::max(4.0 * shift, 1e-4);
                continue;
            }
            tryStep(problem, now);
            // Close to the minimum the cost no longer resolves a step.
            accepted = candidate_.total() <= before * (1.0 + (flat ? 0.0 : 4e-16));
            if (!accepted) shift = std::max(4.0 * shift, 1e-4);
        }
        if (!accepted)
            return stationarity_ < kNearlyStationary ? Outcome::Stationary : Outcome::Stalled;
        shift = shift < 1e-6 ? 0.0 : 0.1 * shift;
        std::swap(now, candidate_);
        if (record_history_) report.history.push_back(now.worst);
        // Off the saddle the ordinary descent knows the way.
        if (flat) {
            newton_steps_ = false;
            const Outcome outcome = descend(problem, now, kAnalyticSteps, report);
            newton_steps_ = true;
            if (outcome == Outcome::Reached) return outcome;
        }
    }
    return Outcome::MaxIterations;
}

}  // namespace ulna::detail
