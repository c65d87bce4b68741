// SPDX-License-Identifier: Apache-2.0

// Priorities by null spaces: Siciliano and Slotine, "A general framework for managing multiple
// tasks in highly redundant robotic systems" (1991), damped, and with limits inside the step.
#include "ulna/ik/detail/second_level.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::ik::detail {
namespace {

// A step must lower the cost by this part, or the pose is left alone.
constexpr double kWorthwhile = 1e-6;
constexpr double kNewtonWorthwhile = 1e-12;

}  // namespace

void SecondLevel::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    small_ = n <= kNewtonColumns;
    moves_.assign(n, 0.0);
    pull_.assign(n, 0.0);
    problem.size(trial_);
    problem.size(repaired_);
    problem.size(before_repair_);
    if (small_) {
        null_space_.build(problem);
        return;
    }
    at_.build(problem);
    released_.assign(n, 0);
    for (std::vector<double>* v : {&step_, &divide_, &to_limit_}) v->assign(n, 0.0);
    dual_.assign(m * m, 0.0);
    level_one_.assign(m1 * m1, 0.0);
    level_two_.assign((m - m1) * (m - m1), 0.0);
    coupling_.assign(m1 * (m - m1), 0.0);
    rows_.assign(m, 0.0);
    rhs_.assign(m, 0.0);
    first_rhs_.assign(m1, 0.0);
    multipliers_.assign(m, 0.0);
    eigen_.compute(level_one_, m1);
}

// J J^T over the coordinates that move, in dual_, each divided by its entry of divide_; eigen_
// gets its part of level 1 decomposed.
void SecondLevel::assemble(Problem& problem) {
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    for (std::size_t c = 0; c < at_.state.size(); ++c) {
        if (!at_.isFree(c)) divide_[c] = std::numeric_limits<double>::infinity();
    }
    problem.assembleDual(divide_, dual_);
    for (std::size_t i = 0; i < m1; ++i) {
        for (std::size_t j = 0; j <= i; ++j) level_one_[i * m1 + j] = dual_[i * m + j];
    }
    eigen_.compute(level_one_, m1);
}

// The gradient of level 2 within the null space of level 1 over the free coordinates, and what
// pushes the others, in `gradient`. multipliers_ gets the multipliers with which level 1 holds
// it.
void SecondLevel::projectGradient(Problem& problem, const Evaluation& e,
                                  std::span<double> gradient) {
    const std::size_t m1 = problem.levelOneRows();
    std::fill(divide_.begin(), divide_.end(), 1.0);
    assemble(problem);
    problem.computeGradient(e, 2, gradient);
    for (std::size_t c = 0; c < at_.state.size(); ++c)
        moves_[c] = at_.isFree(c) ? gradient[c] : 0.0;
    problem.apply(moves_, rows_);
    std::copy_n(rows_.begin(), m1, first_rhs_.begin());
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
    eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {multipliers_.data(), m1});
    problem.applyTransposed(multipliers_, moves_);
    for (std::size_t c = 0; c < at_.state.size(); ++c) gradient[c] -= moves_[c];
}

// The same at `now`, in at_.value, with the coordinates blocked that limits keep from moving: those
// at a limit, or about to pass one, that the projected gradient pushes on. Blocking one changes the
// null space and so what pushes the others, those already blocked among them.
void SecondLevel::project(Problem& problem, const Evaluation& now) {
    constexpr int kRounds = 40;
    problem.linearize(now);
    problem.mechanism().computeRoom(now.at, at_.down, at_.up);
    std::fill(at_.state.begin(), at_.state.end(), BoundedGradient::Free);
    std::fill(to_limit_.begin(), to_limit_.end(), 0.0);
    released_.assign(at_.state.size(), 0);
    const double stiffest = stiffestCurvature(problem, now);
    for (int round = 0; round < kRounds; ++round) {
        projectGradient(problem, now, at_.value);
        bool any = false;
        std::size_t leaving = at_.state.size();
        for (std::size_t c = 0; c < at_.state.size(); ++c) {
            const bool blocked = at_.isBlocked(c);
            const bool held = blocked || at_.isPushed(problem, c, stiffest);
            if (at_.isFree(c) && held) {
                at_.state[c] = BoundedGradient::Blocked;
                to_limit_[c] = blocked ? 0.0 : at_.roomAgainst(c) / problem.columnScale()[c];
                any = true;
            } else if (at_.state[c] == BoundedGradient::Blocked && !held && released_[c] == 0 &&
                       (leaving == at_.state.size() ||
                        std::abs(at_.value[c]) > std::abs(at_.value[leaving]))) {
                leaving = c;
            }
        }
        if (any) continue;
        if (leaving == at_.state.size()) break;
        // One at a time and each once, so that this ends.
        at_.state[leaving] = BoundedGradient::Free;
        to_limit_[leaving] = 0.0;
        released_[leaving] = 1;
    }
    for (std::size_t c = 0; c < at_.state.size(); ++c) {
        if (!at_.isFree(c)) at_.value[c] = 0.0;
    }
    at_.stationarity = problem.stationarity(now, at_.value, at_.down, at_.up);
}

// The step for level 2 that leaves level 1 as it is to first order. With K = J D^-1 Jt by levels,
// h = J f of the coordinates that move by given amounts f, and q = J D^-1 pull / damping - h (D and
// pull the posture's): (K22 - K21 pinv(K11) K12 + damping) y = r2 - q2 + K21 pinv(K11) q1,
// x = -pinv(K11) (K12 y + q1), step = -D^-1 (J2t y + J1t x + pull / damping). Coordinates that it
// carries past a limit are fixed there and the others solved again.
bool SecondLevel::solveDamped(Problem& problem, const Evaluation& now, double damping) {
    constexpr int kSolves = 6;
    const auto scale = problem.columnScale();
    problem.computePostureGradient(now, pull_);
    for (int solve = 0; solve < kSolves; ++solve) {
        if (!solveDampedOnce(problem, now, damping)) return false;
        bool any = false;
        for (std::size_t c = 0; c < step_.size(); ++c) {
            const double move = step_[c] * scale[c];
            if (!at_.isFree(c) || (move <= at_.up[c] && move >= at_.down[c])) continue;
            at_.state[c] = BoundedGradient::Fixed;
            to_limit_[c] = step_[c] = at_.toLimit(c, move, scale[c]);
            any = true;
        }
        if (!any) break;
    }
    return true;
}

bool SecondLevel::solveDampedOnce(Problem& problem, const Evaluation& now, double damping) {
    const std::size_t m = problem.rowCount();
    const std::size_t m1 = problem.levelOneRows();
    const std::size_t m2 = m - m1;
    const std::size_t n = problem.columnCount();
    const auto curvature = problem.postureCurvature();
    for (std::size_t c = 0; c < n; ++c) {
        divide_[c] = 1.0 + curvature[c] / damping;
        moves_[c] = at_.isFree(c) ? pull_[c] / (damping * divide_[c]) : -to_limit_[c];
    }
    assemble(problem);
    problem.apply(moves_, rows_);    // q
    coupling_.assign(m1 * m2, 0.0);  // pinv(K11) K12, column by column
    for (std::size_t j = 0; j < m2; ++j) {
        for (std::size_t i = 0; i < m1; ++i) first_rhs_[i] = dual_[(m1 + j) * m + i];
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {coupling_.data() + j * m1, m1});
    }
    level_two_.resize(m2 * m2);
    for (std::size_t i = 0; i < m2; ++i) {
        double right = now.residual[m1 + i] - rows_[m1 + i];
        for (std::size_t k = 0; k < m1; ++k) right += coupling_[i * m1 + k] * rows_[k];
        rhs_[i] = right;
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = dual_[(m1 + i) * m + m1 + j];
            for (std::size_t k = 0; k < m1; ++k)
                sum -= dual_[(m1 + i) * m + k] * coupling_[j * m1 + k];
            level_two_[i * m2 + j] = sum;
        }
    }
    if (!solveShifted(level_two_, m2, damping, rhs_)) return false;
    for (std::size_t i = 0; i < m1; ++i) {
        double right = rows_[i];
        for (std::size_t j = 0; j < m2; ++j) right += dual_[(m1 + j) * m + i] * rhs_[j];
        first_rhs_[i] = right;
    }
    eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {multipliers_.data(), m1});
    for (std::size_t i = 0; i < m; ++i) rows_[i] = i < m1 ? -multipliers_[i] : rhs_[i - m1];
    problem.applyTransposed(rows_, moves_);
    for (std::size_t c = 0; c < n; ++c) {
        step_[c] = at_.isFree(c) ? -(moves_[c] + pull_[c] / damping) / divide_[c] : to_limit_[c];
    }
    return true;
}

// Brings level 1 back to rest at trial_, which is evaluated with level 1 alone, by moves of the
// coordinates that level 1 decides.
void SecondLevel::repair(Problem& problem, double kept) {
    constexpr int kRepairs = 12;
    constexpr double kShrinks = 0.1;
    const auto scale = problem.columnScale();
    // What may be left to gain: far below what moves a pose.
    const double rest = 1e-18 * kept + 1e-22 * problem.reach() * problem.reach();
    double before = 0.0;
    bool anew = false;
    for (int i = 0; i < kRepairs; ++i) {
        const double fall = null_space_.solveRepair(problem, trial_, anew);
        if (trial_.cost[0] <= kept && std::abs(fall) <= rest) return;
        anew = i > 0 && std::abs(fall) > kShrinks * before;
        before = std::abs(fall);
        for (std::size_t c = 0; c < moves_.size(); ++c)
            moves_[c] = null_space_.step()[c] * scale[c];
        problem.mechanism().retract(trial_.at, moves_, repaired_.at);
        problem.evaluate(repaired_);
        if (repaired_.cost[0] > std::max(trial_.cost[0], kept)) break;
        std::swap(trial_, repaired_);
    }
}

// Moves along a step into trial_, then brings level 1 back to what it was. False when it cannot.
bool SecondLevel::tryStep(Problem& problem, const Evaluation& now, std::span<const double> step,
                          double kept, LeastSquares& descent) {
    constexpr int kRepairs = 8;
    constexpr std::size_t kRepairRows = 48;
    const auto scale = problem.columnScale();
    // Steps far beyond where the null space is straight only make work for the repair.
    double longest = 0.0;
    for (const double s : step) longest = std::max(longest, std::abs(s));
    const double factor = longest > 0.5 ? 0.5 / longest : 1.0;
    for (std::size_t c = 0; c < step.size(); ++c) moves_[c] = step[c] * scale[c] * factor;
    problem.mechanism().retract(now.at, moves_, trial_.at);
    problem.setLevels(1);
    problem.evaluate(trial_);
    // Where that leads past limits or kinks, or a limb is straight, damped steps may still know a
    // way; for many rows they take too long.
    const bool damped = !small_ || problem.rowCount() <= kRepairRows;
    if (small_) {
        before_repair_ = trial_;
        repair(problem, kept);
        if (damped && trial_.cost[0] > kept) std::swap(trial_, before_repair_);
    }
    for (int i = 0; i < kRepairs && damped && trial_.cost[0] > kept; ++i) {
        const double was = trial_.cost[0];
        descent.descend(problem, trial_, {.max_iterations = 1, .enough = 0.0}, repair_);
        if (trial_.cost[0] > 0.9 * was) break;
    }
    repair_.history.clear();
    problem.setLevels(3);
    problem.evaluate(trial_);
    return trial_.cost[0] <= kept;
}

bool SecondLevel::stepDamped(Problem& problem, const Evaluation& now, LeastSquares& descent,
                             Progress& progress) {
    constexpr int kMostRejections = 12;
    const double before = costOf(now);
    bool accepted = false;
    if (small_) null_space_.curve(problem, now, NullSpaceStep::Curvature::Straight, trial_);
    for (int tries = 0; tries < kMostRejections && !accepted; ++tries) {
        const double damping = progress.damping.at(before);
        const bool found =
            small_ ? null_space_.solve(problem, damping) : solveDamped(problem, now, damping);
        if (found)
            accepted = tryStep(problem, now, small_ ? null_space_.step() : step_, progress.kept,
                               descent) &&
                       costOf(trial_) < (1.0 - kWorthwhile) * before;
        if (accepted) break;
        progress.damping.raise();
        if (!small_) project(problem, now);  // the repair has changed the Jacobian
    }
    progress.damping.lower();
    const bool quick = accepted && costOf(trial_) <= (1.0 - kSlowProgress) * before;
    progress.slow = !accepted ? kSlowSteps : quick ? 0 : progress.slow + 1;
    return accepted;
}

bool SecondLevel::stepNewton(Problem& problem, const Evaluation& now, LeastSquares& descent,
                             Progress& progress) {
    constexpr int kTries = 30;
    constexpr double kLeastShift = 1e-7;
    const double before = costOf(now);
    null_space_.curve(problem, now, NullSpaceStep::Curvature::Full, trial_);
    const double largest = null_space_.largestCurvature();
    bool accepted = false;
    for (int tries = 0; tries < kTries && !accepted; ++tries) {
        const double shift = std::max(progress.shift, kLeastShift) * largest;
        if (null_space_.solve(problem, shift))
            accepted = tryStep(problem, now, null_space_.step(), progress.kept, descent) &&
                       costOf(trial_) < (1.0 - kNewtonWorthwhile) * before;
        if (accepted) break;
        progress.shift = std::max(4.0 * progress.shift, 1e-4);
    }
    progress.shift = progress.shift < 1e-6 ? 0.0 : 0.1 * progress.shift;
    return accepted;
}

void SecondLevel::startAfresh(const Problem& problem, Progress& progress) const {
    progress.damping = Damping(problem.reach());
    progress.shift = 0.0;
    progress.slow = 0;
}

// Takes up a pose; how far level 2 is from rest there.
double SecondLevel::look(Problem& problem, const Evaluation& now) {
    if (small_) {
        null_space_.look(problem, now);
        return null_space_.stationarity();
    }
    project(problem, now);
    return at_.stationarity;
}

Outcome SecondLevel::descend(Problem& problem, Evaluation& now, int max_iterations,
                             LeastSquares& descent, IkReport& report) {
    constexpr int kNewtonSteps = 60;
    Progress progress{Damping(problem.reach())};
    // What level 1 may lose to rounding: far below what its errors are asked to keep.
    progress.kept = now.cost[0] * (1.0 + 1e-10) + 1e-20 * problem.reach() * problem.reach();
    // Every kind of step is tried afresh before giving up, so that the same pose, given again as a
    // start, stays where it is.
    bool afresh = true;
    steps_ = 0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        if (now.worst <= 1.0 && !problem.hasPosture()) return Outcome::Reached;
        if (problem.isSpent(now, report)) return Outcome::Stopped;
        const double stationarity = look(problem, now);
        report.gradient = stationarity;
        if (stationarity < kStationary)
            return now.worst <= 1.0 ? Outcome::Reached : Outcome::Stationary;
        ++report.iterations;
        bool accepted = false;
        if (progress.slow < kSlowSteps) {
            accepted = stepDamped(problem, now, descent, progress);
            if (!accepted && small_) continue;
        } else if (small_ && progress.newton++ < kNewtonSteps) {
            accepted = stepNewton(problem, now, descent, progress);
        }
        if (!accepted && !afresh) {
            afresh = true;
            startAfresh(problem, progress);
            continue;
        }
        if (!accepted)
            return now.worst <= 1.0                   ? Outcome::Reached
                   : stationarity < kNearlyStationary ? Outcome::Stationary
                                                      : Outcome::Stalled;
        afresh = false;
        ++steps_;
        std::swap(now, trial_);
        if (problem.options().record_history) report.history.push_back(now.worst);
    }
    return now.worst <= 1.0 ? Outcome::Reached : Outcome::MaxIterations;
}

}  // namespace ulna::ik::detail
