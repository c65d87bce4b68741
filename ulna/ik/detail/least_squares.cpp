// SPDX-License-Identifier: Apache-2.0

// Levenberg (1944), Marquardt (1963); damping by the cost after Sugihara, "Solvability-unconcerned
// inverse kinematics by the Levenberg-Marquardt method" (2011).
#include "ulna/ik/detail/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/ik/detail/dense.h"

namespace ulna::detail {
namespace {

// Above this many rows the recursion over the tree is cheaper than the dual system.
constexpr std::size_t kDualRows = 36;

// Damping starts at this multiple of the cost, and moves by these factors after good, poor and
// rejected steps. Measured on the problems of the benchmark.
constexpr double kStartDamping = 0.5;
constexpr double kLeastDamping = 0.05;
constexpr double kGood = 0.5;
constexpr double kBad = 4.0;
constexpr int kMostRejections = 12;
// Relative to the squared reach: keeps the dual system definite where the cost is nearly zero.
constexpr double kDampingFloor = 1e-12;

// An attempt ends after so many steps in a row that lower the cost by less than this fraction.
constexpr int kSlowSteps = 4;
constexpr double kSlowProgress = 0.1;

// Newton's steps near a minimum: dense up to this many coordinates.
constexpr std::size_t kNewtonColumns = 300;
// Curvature counts as negative below this part of the largest.
constexpr double kNegative = 1e-6;

// Squared singular values of level 1 below this part of the largest count as zero.
constexpr double kRankCutoff = 1e-10;

// Directions that change nothing, such as a straight arm's twist, must not be taken far by
// rounding.
constexpr double kLeastShift = 1e-7;
// The analytic second derivatives know positions and plain joints only; elsewhere, and where they
// do not bring the answer to rest in so many steps, differences of the gradient take over.
constexpr int kAnalyticSteps = 25;

// A pose is stationary when the gradient is below this part of what the residual could exert.
constexpr double kStationary = 1e-7;
// Where steps no longer lower the cost, rounding has the last word on the gradient.
constexpr double kNearlyStationary = 1e-4;

}  // namespace

void LeastSquares::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    const std::size_t m = problem.rowCount();
    use_tree_ = m > kDualRows && !problem.joinsBodies() && !problem.hasLevelTwo();
    for (std::vector<double>* v :
         {&gradient_, &down_, &up_, &step_, &moves_, &pull_, &divide_, &to_bound_})
        v->assign(n, 0.0);
    state_.assign(n, Free);
    std::fill(down_.begin(), down_.end(), -std::numeric_limits<double>::infinity());
    std::fill(up_.begin(), up_.end(), std::numeric_limits<double>::infinity());
    if (!use_tree_) {
        dual_.assign(m * m, 0.0);
        factor_.assign(m * m, 0.0);
    }
    rhs_.assign(m, 0.0);
    column_.assign(m, 0.0);
    free_.reserve(n);
    if (n <= kNewtonColumns) {
        hessian_.reserve(n * n);
        newton_.reserve(n * n);
    }
    newton_rhs_.reserve(n);
    problem.size(candidate_);
    problem.size(trial_);
    tree_.build(problem);
}

// Derivatives, room, and coordinates blocked at their bounds, at `now`.
void LeastSquares::prepare(Problem& problem, const Evaluation& now, int levels) {
    if (use_tree_ && !newton_steps_) {
        problem.computeTwists(now);
        tree_.linearize(problem, now, gradient_);
    } else {
        problem.linearize(now);
        problem.computeGradient(now, levels, gradient_);
    }
    if (problem.mechanism().bounded()) problem.mechanism().computeRoom(now.at, down_, up_);
    stationarity_ = problem.stationarity(now, gradient_, down_, up_);
    for (std::size_t c = 0; c < gradient_.size() && problem.mechanism().bounded(); ++c) {
        const bool blocked = gradient_[c] < 0.0   ? up_[c] <= 0.0
                             : gradient_[c] > 0.0 ? down_[c] >= 0.0
                                                  : up_[c] <= down_[c];
        state_[c] = blocked ? Blocked : Free;
        if (blocked && (!use_tree_ || newton_steps_)) problem.freeze(c);
    }
    if (problem.hasPosture()) problem.computePostureGradient(now, pull_);
    if (!use_tree_ && !newton_steps_) problem.assembleDual({}, dual_);
    fixed_any_ = false;
}

// Moves of the free coordinates from the dual system: with D = 1 + posture / damping,
// (J D^-1 Jt + damping) z = r - J D^-1 pull / damping,  step = -D^-1 (Jt z + pull / damping).
bool LeastSquares::solveDual(Problem& problem, double damping) {
    const std::size_t m = problem.rowCount();
    const std::size_t n = step_.size();
    const bool posture = problem.hasPosture();
    if (posture) {
        const auto curvature = problem.postureCurvature();
        for (std::size_t c = 0; c < n; ++c) {
            divide_[c] = 1.0 + curvature[c] / damping;
            moves_[c] = state_[c] == Free ? pull_[c] / (damping * divide_[c]) : 0.0;
        }
        problem.assembleDual(divide_, dual_);
        problem.apply(moves_, column_);
        for (std::size_t i = 0; i < m; ++i) column_[i] = rhs_[i] - column_[i];
    } else {
        column_ = rhs_;
    }
    factor_ = dual_;
    if (!solveShifted(factor_.data(), m, damping, column_.data())) return false;
    problem.applyTransposed(column_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        if (state_[c] != Free) continue;
        step_[c] = posture ? -(moves_[c] + pull_[c] / damping) / divide_[c] : -moves_[c];
    }
    return true;
}

// Fixes free coordinates that the step carries past a bound at that bound, for good within this
// step. True when there were any.
bool LeastSquares::fixAtBounds(Problem& problem) {
    const auto scale = problem.columnScale();
    const std::size_t m = problem.rowCount();
    bool any = false;
    for (std::size_t c = 0; c < step_.size(); ++c) {
        if (state_[c] != Free) continue;
        const double move = step_[c] * scale[c];
        if (move <= up_[c] && move >= down_[c]) continue;
        any = true;
        state_[c] = Fixed;
        step_[c] = (move > up_[c] ? up_[c] : down_[c]) / scale[c];
        if (use_tree_) continue;
        problem.computeColumn(c, column_);
        for (std::size_t i = 0; i < m; ++i) {
            if (column_[i] == 0.0) continue;
            rhs_[i] += column_[i] * step_[c];
            for (std::size_t j = 0; j <= i; ++j) dual_[i * m + j] -= column_[i] * column_[j];
        }
        problem.freeze(c);
    }
    fixed_any_ = fixed_any_ || any;
    return any;
}

// The damped step within bounds, in step_, per scaled coordinate.
bool LeastSquares::solveStep(Problem& problem, const Evaluation& now, double damping) {
    constexpr int kSolves = 3;  // one, and two more with newly fixed coordinates
    if (fixed_any_) {           // of a step that was rejected
        if (!use_tree_) problem.linearize(now);
        for (std::size_t c = 0; c < state_.size(); ++c) {
            if (state_[c] == Fixed) state_[c] = Free;
            if (state_[c] == Blocked && !use_tree_) problem.freeze(c);
        }
        if (!use_tree_) problem.assembleDual({}, dual_);
        fixed_any_ = false;
    }
    std::fill(step_.begin(), step_.end(), 0.0);
    rhs_ = now.residual;
    for (int i = 0; i < kSolves; ++i) {
        if (use_tree_)
            tree_.solve(problem, damping, state_, step_);
        else if (!solveDual(problem, damping))
            return false;
        if (!problem.mechanism().bounded() || !fixAtBounds(problem)) break;
    }
    return true;
}

// Moves `now` along step_ into candidate_, evaluated.
void LeastSquares::tryStep(Problem& problem, const Evaluation& now) {
    const auto scale = problem.columnScale();
    for (std::size_t c = 0; c < step_.size(); ++c) moves_[c] = step_[c] * scale[c];
    problem.mechanism().retract(now.at, moves_, candidate_.at);
    problem.evaluate(candidate_);
}

Outcome LeastSquares::descend(Problem& problem, Evaluation& now, int max_iterations,
                              IkReport& report, double enough) {
    const double floor = kDampingFloor * problem.reach() * problem.reach();
    double lambda = kStartDamping;
    int slow = 0;
    bool settled = !problem.hasPosture();  // goals reached and the posture at rest
    for (int iteration = 0;; ++iteration) {
        if (now.worst <= enough && settled) return Outcome::Reached;
        if (iteration >= max_iterations) return Outcome::MaxIterations;
        prepare(problem, now, 3);
        if (stationarity_ < kStationary)
            return now.worst <= enough ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        const double before = now.total();
        bool accepted = false;
        for (int rejections = 0; rejections < kMostRejections; ++rejections) {
            const bool solved = solveStep(problem, now, lambda * before + floor);
            if (solved) {
                tryStep(problem, now);
                accepted = candidate_.total() < before;
            }
            if (accepted) break;
            lambda *= kBad;
        }
        if (!accepted) return Outcome::Stalled;
        lambda = std::max(lambda * kGood, kLeastDamping);
        std::swap(now, candidate_);
        if (options_history_) report.history.push_back(now.worst);
        const double progress = 1.0 - now.total() / before;
        slow = progress < kSlowProgress ? slow + 1 : 0;
        settled = settled || progress < 1e-9;
        if (slow >= kSlowSteps && now.worst > enough) return Outcome::Stalled;
    }
}

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

Outcome LeastSquares::comeToRest(Problem& problem, Evaluation& now, int max_iterations,
                                 IkReport& report) {
    const std::size_t n = problem.columnCount();
    if (n == 0) return Outcome::Stationary;
    if (n > kNewtonColumns)
        return stationarity_ < kStationary ? Outcome::Stationary : Outcome::Stalled;
    bool analytic = !problem.mechanism().hasCones();
    for (const Problem::Row& row : problem.goalRows())
        analytic = analytic && (row.point || row.factor == 0.0);
    double shift = 0.0;  // of the Hessian, relative to its largest entry
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        prepare(problem, now, 3);
        // Projected Newton (Bertsekas 1982): what is so close to a bound that even the shortest
        // sensible step goes past it goes there, and is left out of the system.
        const auto scale = problem.columnScale();
        double stiffest = problem.reach() * std::sqrt(2.0 * now.total());  // bounds the curvature
        for (const Problem::Row& row : problem.goalRows())
            stiffest += row.factor * row.factor * problem.reach() * problem.reach();
        const bool flat = stationarity_ < kStationary;
        if (flat) {
            // A coordinate that stands at a bound without being pushed may still fall off it: a
            // straight elbow, when the target comes nearer.
            const double weak = kStationary * problem.reach() * std::sqrt(2.0 * now.total());
            problem.linearize(now);
            for (std::size_t c = 0; c < n; ++c) {
                if (state_[c] == Free) continue;
                if (std::abs(gradient_[c]) < weak && up_[c] > down_[c])
                    state_[c] = Free;
                else
                    problem.freeze(c);
            }
        }
        free_.clear();
        for (std::size_t c = 0; c < n; ++c) {
            const double room = gradient_[c] < 0.0 ? up_[c] : down_[c];
            const bool pushed = gradient_[c] != 0.0 &&
                                std::abs(gradient_[c] * scale[c]) >= stiffest * std::abs(room);
            if (state_[c] == Free && (flat || !pushed)) free_.push_back(c);
            to_bound_[c] = state_[c] == Free && pushed ? room / scale[c] : 0.0;
        }
        if (free_.empty() && flat) return Outcome::Stationary;
        if (analytic && iteration < kAnalyticSteps)
            computeHessian(problem, now);
        else
            estimateHessian(problem, now);
        const std::size_t count = free_.size();
        double largest = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            largest = std::max(largest, std::abs(hessian_[i * count + i]));
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
            } else {
                newton_ = hessian_;
                if (!factorCholesky(newton_.data(), count,
                                    std::max(shift, kLeastShift) * largest)) {
                    shift = std::max(4.0 * shift, 1e-4);
                    continue;
                }
                newton_rhs_.resize(count);
                for (std::size_t i = 0; i < count; ++i) newton_rhs_[i] = -gradient_[free_[i]];
                solveCholesky(newton_.data(), count, newton_rhs_.data());
                for (std::size_t i = 0; i < count; ++i) step_[free_[i]] = newton_rhs_[i];
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
        if (options_history_) report.history.push_back(now.worst);
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

// The gradient of level 2 within the null space of level 1, in gradient_, with coordinates blocked
// at their bounds left out; level_one_ gets the decomposed J1 J1t.
void LeastSquares::projectSecond(Problem& problem, const Evaluation& now) {
    const std::size_t m1 = problem.levelOneRows();
    const std::size_t m = problem.rowCount();
    const std::size_t n = problem.columnCount();
    problem.linearize(now);
    problem.mechanism().computeRoom(now.at, down_, up_);
    std::fill(state_.begin(), state_.end(), Free);
    level_one_.resize(m1 * m1);
    first_rhs_.resize(m1);
    first_solution_.assign(m, 0.0);
    // Blocking a coordinate changes the null space, so it takes a few rounds to settle.
    for (int round = 0; round < 4; ++round) {
        problem.assembleDual({}, dual_);
        for (std::size_t i = 0; i < m1; ++i) {
            for (std::size_t j = 0; j <= i; ++j) level_one_[i * m1 + j] = dual_[i * m + j];
        }
        eigen_.compute(level_one_.data(), m1);
        problem.computeGradient(now, 2, gradient_);
        for (std::size_t c = 0; c < n; ++c) {
            if (state_[c] != Free) gradient_[c] = 0.0;
        }
        problem.apply(gradient_, column_);
        std::copy(column_.begin(), column_.begin() + static_cast<std::ptrdiff_t>(m1),
                  first_rhs_.begin());
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {first_solution_.data(), m1});
        problem.applyTransposed(first_solution_, moves_);
        bool any = false;
        for (std::size_t c = 0; c < n; ++c) {
            if (state_[c] != Free) continue;
            gradient_[c] -= moves_[c];
            const bool blocked = gradient_[c] < 0.0   ? up_[c] <= 0.0
                                 : gradient_[c] > 0.0 ? down_[c] >= 0.0
                                                      : up_[c] <= down_[c];
            if (!blocked) continue;
            state_[c] = Blocked;
            problem.freeze(c);
            any = true;
        }
        if (!any) break;
    }
    stationarity_ = problem.stationarity(now, gradient_, down_, up_);
}

// The step for level 2 that leaves level 1 as it is to first order. With K = J D^-1 Jt by levels
// and q = J D^-1 pull / damping (D and pull the posture's): (K22 - K21 pinv(K11) K12 + damping) y =
// r2 - q2 + K21 pinv(K11) q1,  x = -pinv(K11) (K12 y + q1), step = -D^-1 (J2t y + J1t x + pull /
// damping).
bool LeastSquares::solveSecond(Problem& problem, const Evaluation& now, double damping) {
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    const std::size_t m2 = m - m1;
    const std::size_t n = problem.columnCount();
    const auto curvature = problem.postureCurvature();
    const bool posture = problem.hasPosture();
    std::fill(pull_.begin(), pull_.end(), 0.0);
    if (posture) problem.computePostureGradient(now, pull_);
    for (std::size_t c = 0; c < n; ++c) {
        divide_[c] = 1.0 + curvature[c] / damping;
        moves_[c] = state_[c] == Free ? pull_[c] / (damping * divide_[c]) : 0.0;
    }
    problem.assembleDual(divide_, dual_);
    problem.apply(moves_, column_);  // q
    if (posture) {
        for (std::size_t i = 0; i < m1; ++i) {
            for (std::size_t j = 0; j <= i; ++j) level_one_[i * m1 + j] = dual_[i * m + j];
        }
        eigen_.compute(level_one_.data(), m1);
    }
    second_.assign(m1 * m2, 0.0);  // pinv(K11) K12, column by column
    for (std::size_t j = 0; j < m2; ++j) {
        for (std::size_t i = 0; i < m1; ++i) first_rhs_[i] = dual_[(m1 + j) * m + i];
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {second_.data() + j * m1, m1});
    }
    level_two_.resize(m2 * m2);
    for (std::size_t i = 0; i < m2; ++i) {
        double right = now.residual[m1 + i] - column_[m1 + i];
        for (std::size_t k = 0; k < m1; ++k) right += second_[i * m1 + k] * column_[k];
        rhs_[i] = right;
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = dual_[(m1 + i) * m + m1 + j];
            for (std::size_t k = 0; k < m1; ++k)
                sum -= dual_[(m1 + i) * m + k] * second_[j * m1 + k];
            level_two_[i * m2 + j] = sum;
        }
    }
    if (!solveShifted(level_two_.data(), m2, damping, rhs_.data())) return false;
    for (std::size_t i = 0; i < m1; ++i) {
        double right = column_[i];
        for (std::size_t j = 0; j < m2; ++j) right += dual_[(m1 + j) * m + i] * rhs_[j];
        first_rhs_[i] = right;
    }
    eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {first_solution_.data(), m1});
    for (std::size_t i = 0; i < m; ++i) column_[i] = i < m1 ? -first_solution_[i] : rhs_[i - m1];
    problem.applyTransposed(column_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        step_[c] = state_[c] == Free ? -(moves_[c] + pull_[c] / damping) / divide_[c] : 0.0;
    }
    return true;
}

Outcome LeastSquares::descendSecond(Problem& problem, Evaluation& now, int max_iterations,
                                    IkReport& report) {
    const double floor = kDampingFloor * problem.reach() * problem.reach();
    // What level 1 may lose to rounding: far below what its errors are asked to keep.
    const double kept = now.cost[0] * (1.0 + 1e-10) + 1e-20 * problem.reach() * problem.reach();
    constexpr int kRepairs = 8;
    // A step must lower the cost by this part, or the pose is left alone: the same pose, given
    // again as a start, then stays where it is.
    constexpr double kWorthwhile = 1e-6;
    double lambda = kStartDamping;
    const auto scale = problem.columnScale();
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0 && !problem.hasPosture()) return Outcome::Reached;
        projectSecond(problem, now);
        if (stationarity_ < kStationary)
            return now.worst <= 1.0 ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        const double before = now.cost[1] + now.posture_cost;
        const double stationarity = stationarity_;
        bool accepted = false;
        bool afresh = false;
        for (int rejections = 0; rejections < kMostRejections; ++rejections, lambda *= kBad) {
            if (!solveSecond(problem, now, lambda * before + floor)) continue;
            // Steps far beyond where the null space is straight only make work for the repair.
            double longest = 0.0;
            for (const double s : step_) longest = std::max(longest, std::abs(s));
            const double factor = longest > 0.5 ? 0.5 / longest : 1.0;
            for (std::size_t c = 0; c < step_.size(); ++c) moves_[c] = step_[c] * scale[c] * factor;
            problem.mechanism().retract(now.at, moves_, trial_.at);
            problem.setLevels(1);
            problem.evaluate(trial_);
            IkReport repair;
            for (int i = 0; i < kRepairs && trial_.cost[0] > kept; ++i) {
                const double was = trial_.cost[0];
                descend(problem, trial_, 1, repair, 0.0);
                if (trial_.cost[0] > 0.9 * was) break;
            }
            problem.setLevels(3);
            problem.evaluate(trial_);
            const double after = trial_.cost[1] + trial_.posture_cost;
            accepted = trial_.cost[0] <= kept && after < (1.0 - kWorthwhile) * before;
            if (accepted) break;
            projectSecond(problem, now);  // the repair has used the same memory
            if (rejections + 1 == kMostRejections && !afresh) {
                afresh = true;
                rejections = -1;
                lambda = kStartDamping / kBad;
            }
        }
        if (!accepted) {
            stationarity_ = stationarity;
            return now.worst <= 1.0                    ? Outcome::Reached
                   : stationarity_ < kNearlyStationary ? Outcome::Stationary
                                                       : Outcome::Stalled;
        }
        lambda = std::max(lambda * kGood, kLeastDamping);
        std::swap(now, trial_);
        if (options_history_) report.history.push_back(now.worst);
    }
    return now.worst <= 1.0 ? Outcome::Reached : Outcome::MaxIterations;
}

}  // namespace ulna::detail
