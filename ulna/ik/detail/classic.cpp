// SPDX-License-Identifier: Apache-2.0

// Jacobian transpose with the step of Buss, "Introduction to inverse kinematics with Jacobian
// transpose, pseudoinverse and damped least squares methods" (2004); damped least squares after
// Wampler (1986) and Nakamura & Hanafusa (1986); projected gradient with the step lengths of
// Barzilai & Borwein as in Birgin, Martinez & Raydan (2000).
#include "ulna/ik/detail/classic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::ik::detail {
namespace {

// The undamped methods jump near singular poses; no coordinate moves by more than this per step.
constexpr double kLongestMove = 1.0;
// Squared singular values below this part of the largest count as zero in the pseudoinverse.
constexpr double kCutoff = 1e-9;
// Sufficient decrease of a line search, per unit of the step along the gradient (Armijo).
constexpr double kDecrease = 1e-4;
// A line search gives up below this part of its first step: the point is stationary to rounding.
constexpr double kShortest = 1e-12;

// The attempt has stalled when so many steps in a row bring less than this part of the best cost.
constexpr int kIdleSteps = 50;
constexpr double kIdleProgress = 1e-3;

double dotOf(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

bool isGradient(IkMethod method) {
    return method == IkMethod::Gradient || method == IkMethod::ProjectedGradient;
}

}  // namespace

void Classic::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    const std::size_t m = problem.rowCount();
    for (std::vector<double>* v : {&gradient_, &last_gradient_, &step_, &moves_, &row_})
        v->assign(n, 0.0);
    down_.assign(n, -std::numeric_limits<double>::infinity());
    up_.assign(n, std::numeric_limits<double>::infinity());
    problem.size(candidate_);
    eigen_.reserve(std::min(n, m));
    problem.size(best_);
    const std::size_t size = std::min(n, m);
    matrix_.assign(std::max(m * m, size * size), 0.0);
    rhs_.assign(std::max(n, m), 0.0);
    solution_.assign(std::max(n, m), 0.0);
}

void Classic::linearize(Problem& problem, const Evaluation& now) {
    problem.linearize(now);
    problem.computeGradient(now, 3, gradient_);
    problem.mechanism().computeRoom(now.at, down_, up_);
    stationarity_ = problem.stationarity(now, gradient_, down_, up_);
}

// step = -alpha Jt r with the alpha that would be best if the residual were linear.
void Classic::transposeStep(const Problem& problem, const Evaluation&) {
    std::span<double> image(solution_.data(), problem.rowCount());
    problem.apply(gradient_, image);
    const double length2 = dotOf(image, image);
    const double alpha = length2 > 0.0 ? dotOf(gradient_, gradient_) / length2 : 0.0;
    for (std::size_t c = 0; c < step_.size(); ++c) step_[c] = -alpha * gradient_[c];
}

void Classic::gradientStep(const Problem&) {
    for (std::size_t c = 0; c < step_.size(); ++c) step_[c] = -length_ * gradient_[c];
}

// The lower triangle of Jt J in matrix_.
void Classic::assembleNormal(const Problem& problem) {
    const std::size_t n = step_.size();
    std::fill(matrix_.begin(), matrix_.begin() + static_cast<std::ptrdiff_t>(n * n), 0.0);
    for (std::size_t r = 0; r < problem.rowCount(); ++r) {
        problem.computeRow(r, row_);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j <= i; ++j) matrix_[i * n + j] += row_[i] * row_[j];
        }
    }
}

// step = -pinv(J) r: Jt pinv(J Jt) r with fewer rows than coordinates, pinv(Jt J) Jt r with more.
void Classic::pseudoinverseStep(Problem& problem, const Evaluation& now) {
    const std::size_t n = step_.size();
    const std::size_t m = problem.rowCount();
    if (m <= n) {
        problem.assembleDual({}, {matrix_.data(), m * m});
        eigen_.compute(matrix_, m);
        std::span<double> y(solution_.data(), m);
        eigen_.applyPseudoInverse(now.residual, kCutoff, y);
        problem.applyTransposed(y, step_);
    } else {
        assembleNormal(problem);
        eigen_.compute(matrix_, n);
        problem.applyTransposed(now.residual, row_);
        eigen_.applyPseudoInverse(row_, kCutoff, step_);
    }
    for (double& s : step_) s = -s;
}

// The damped step, by whichever system is smaller. With lambda the damping and C the posture's
// curvature: (Jt J + lambda + C) step = -gradient, or through J (lambda + C)^-1 Jt.
void Classic::dampedStep(Problem& problem, const Evaluation& now) {
    const std::size_t n = step_.size();
    const std::size_t m = problem.rowCount();
    const double lambda = problem.options().damping * problem.reach() * problem.reach();
    const auto curvature = problem.postureCurvature();
    if (m <= n && lambda > 0.0) {
        for (std::size_t c = 0; c < n; ++c) moves_[c] = 1.0 + curvature[c] / lambda;
        problem.assembleDual(problem.hasPosture() ? moves_ : std::span<const double>{},
                             {matrix_.data(), m * m});
        problem.computePostureGradient(now, row_);
        for (std::size_t c = 0; c < n; ++c) step_[c] = row_[c] / (lambda * moves_[c]);
        std::span<double> y(solution_.data(), m);
        problem.apply(step_, y);
        for (std::size_t i = 0; i < m; ++i) y[i] = now.residual[i] - y[i];
        static_cast<void>(solveShifted(matrix_, m, lambda, y));
        problem.applyTransposed(y, step_);
        for (std::size_t c = 0; c < n; ++c) step_[c] = -(step_[c] + row_[c] / lambda) / moves_[c];
    } else {
        matrix_.resize(std::max(matrix_.size(), n * n));
        assembleNormal(problem);
        for (std::size_t c = 0; c < n; ++c) {
            matrix_[c * n + c] += curvature[c];
            step_[c] = -gradient_[c];
        }
        // Without damping a tiny shift stands in for it where the Jacobian has lost rank.
        const double shift = std::max(lambda, 1e-12 * problem.reach() * problem.reach());
        static_cast<void>(solveShifted(matrix_, n, shift, step_));
    }
}

void Classic::computeStep(Problem& problem, const Evaluation& now, std::span<double> step) {
    const IkOptions& options = problem.options();
    linearize(problem, now);
    switch (options.method) {
        case IkMethod::Transpose:
            transposeStep(problem, now);
            break;
        case IkMethod::Pinv:
            pseudoinverseStep(problem, now);
            break;
        case IkMethod::Dls:
            dampedStep(problem, now);
            break;
        default:
            if (first_) length_ = options.step / (problem.reach() * problem.reach());
            gradientStep(problem);
            break;
    }
    const auto scale = problem.columnScale();
    for (std::size_t c = 0; c < step.size(); ++c) step[c] = step_[c] * scale[c];
}

// candidate_ = now moved by `factor` of step_, within the bounds, evaluated.
void Classic::moveTo(Problem& problem, const Evaluation& now, double factor) {
    const auto scale = problem.columnScale();
    for (std::size_t c = 0; c < step_.size(); ++c) moves_[c] = step_[c] * scale[c] * factor;
    problem.mechanism().retract(now.at, moves_, candidate_.at);
    problem.evaluate(candidate_);
}

// Backtracking from the present length until the cost at the projected point has fallen enough.
bool Classic::searchLine(Problem& problem, const Evaluation& now) {
    const double slope = dotOf(gradient_, step_);  // of the whole step; negative
    for (double factor = 1.0; factor > kShortest; factor *= 0.5) {
        moveTo(problem, now, factor);
        if (candidate_.total() <= now.total() + kDecrease * factor * slope &&
            candidate_.total() < now.total()) {
            length_ *= factor;
            return true;
        }
    }
    return false;
}

// A step of the length that the options state; where a Jacobian that lost rank can make it huge, no
// angle moves by more than kLongestMove.
void Classic::moveFixed(Problem& problem, const Evaluation& now) {
    const IkOptions& options = problem.options();
    const auto scale = problem.columnScale();
    double factor = isGradient(options.method) ? 1.0 : options.step;
    double longest = 0.0;
    for (std::size_t c = 0; c < step_.size(); ++c) {
        if (problem.mechanism().columns()[c].angle)
            longest = std::max(longest, std::abs(step_[c] * scale[c] * factor));
    }
    const bool capped = options.method == IkMethod::Pinv || options.method == IkMethod::Transpose;
    if (capped && longest > kLongestMove) factor *= kLongestMove / longest;
    moveTo(problem, now, factor);
}

// The next length from how the gradient changed over the step from `now` to candidate_.
void Classic::adaptLength(Problem& problem, const Evaluation& now) {
    const auto scale = problem.columnScale();
    last_gradient_ = gradient_;
    problem.linearize(candidate_);
    problem.computeGradient(candidate_, 3, gradient_);
    double ss = 0.0, sy = 0.0;
    for (std::size_t c = 0; c < step_.size(); ++c) {
        // What was moved in the end, bounds and all; balls have no coordinates to compare.
        const bool ball = problem.mechanism().links()[problem.mechanism().columns()[c].link].kind ==
                          LinkKind::Ball;
        const double s = (ball ? moves_[c] : candidate_.at.values[c] - now.at.values[c]) / scale[c];
        ss += s * s;
        sy += s * (gradient_[c] - last_gradient_[c]);
    }
    const double unit = 1.0 / (problem.reach() * problem.reach());
    length_ = sy > 0.0 ? std::clamp(ss / sy, 1e-3 * unit, 1e3 * unit) : 10.0 * length_;
}

// candidate_ = the next iterate; false where no step lowers the cost.
bool Classic::advance(Problem& problem, const Evaluation& now) {
    const IkOptions& options = problem.options();
    if (!isGradient(options.method) || !options.line_search) {
        moveFixed(problem, now);
        return true;
    }
    if (!searchLine(problem, now)) return false;
    if (options.method == IkMethod::ProjectedGradient)
        adaptLength(problem, now);
    else
        length_ *= 2.0;  // so that a search may also lengthen the step
    return true;
}

Outcome Classic::solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report) {
    const IkOptions& options = problem.options();
    best_ = now;
    first_ = true;
    int idle = 0;
    double idle_cost = now.total();
    Outcome outcome = Outcome::MaxIterations;
    for (int iteration = 0;; ++iteration) {
        if (now.worst <= 1.0) {
            outcome = Outcome::Reached;
            break;
        }
        if (iteration >= max_iterations) break;
        if (problem.isSpent(now, report)) {
            outcome = Outcome::Stopped;
            break;
        }
        computeStep(problem, now, moves_);
        if (stationarity_ < kStationary) {
            outcome = Outcome::Stationary;
            break;
        }
        ++report.iterations;
        if (!advance(problem, now)) {
            outcome = Outcome::Stalled;
            break;
        }
        first_ = false;
        // A method may diverge; its numbers must not get out.
        if (!std::isfinite(candidate_.total())) {
            outcome = Outcome::Stalled;
            break;
        }
        std::swap(now, candidate_);
        if (options.record_history) report.history.push_back(now.worst);
        if (now.total() < best_.total()) best_ = now;
        if (++idle >= kIdleSteps) {
            if (best_.total() > (1.0 - kIdleProgress) * idle_cost) {
                outcome = Outcome::Stalled;
                break;
            }
            idle = 0;
            idle_cost = best_.total();
        }
    }
    report.gradient = stationarity_;
    if (outcome != Outcome::Reached && best_.total() < now.total()) std::swap(now, best_);
    return outcome;
}

}  // namespace ulna::ik::detail
