// SPDX-License-Identifier: Apache-2.0

// Joint Gauss-Newton with Levenberg's damping (Levenberg 1944, Marquardt 1963), the free positions
// eliminated as by Golub and Pereyra 1973; and the alternation it is compared with.
#include "ulna/fit/detail/solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kMostDamping = 1e8;
constexpr double kDampingStep = 10.0;

// Steps below this (in units of the size) that are more than such a part of the step before turn
// Gauss-Newton into Newton.
constexpr double kNear = 0.02;
constexpr double kSlow = 0.02;

// In the alternation, goals of pins move on once what is left to move is so little of what pins
// miss: earlier, they would run away. So many rounds without a gain: a pin is out of reach.
constexpr double kPinLoose = 0.3;
constexpr int kPinStuck = 3;

// More free positions than this are always eliminated: their matrix is large and constant.
constexpr std::size_t kMostKept = 64;

// What is left to move after a step of length `step` that followed one of length `before`, if
// steps go on shrinking so.
double remaining(double step, double before) {
    const double rate = before > 0.0 ? step / before : 1.0;
    return rate < 0.9 ? step * rate / (1.0 - rate) : step;
}

}  // namespace

void FitSolver::build(const FitLayout& layout, const VertexPack& pack,
                      const SolverOptions& options) {
    options_ = options;
    size_ = layout.size;
    chooseStructure(layout, pack);
    const std::size_t turns = moments_.rotations().size();
    const std::size_t places = moments_.translations().size();
    residual_.assign(turns, {});
    next_residual_ = residual_;
    place_residual_.assign(places, {});
    next_place_residual_ = place_residual_;
    scales_.assign(blocks_, 0.0);
    descent_.assign(3 * blocks_, 0.0);
    step_ = descent_;
    near_places_.assign(layout.translations.size(), {});
    const std::size_t pins = layout.extra_pins.size();
    pin_places_.assign(pins, {});
    pin_rows_.assign(9 * pins * blocks_, 0.0);
    pin_moves_ = pin_rows_;
    pin_matrix_.assign(9 * pins * pins, 0.0);
    pin_inverse_ = pin_null_ = pin_matrix_;
    pin_misses_.assign(3 * pins, 0.0);
    trial_.quats.resize(layout.rotations.size());
    trial_.turns.resize(layout.rotations.size());
    trial_.places.resize(layout.translations.size());
}

void FitSolver::chooseStructure(const FitLayout& layout, const VertexPack& pack) {
    moments_.build(layout, pack, TranslationsAre::Kept);
    const std::size_t turns = moments_.rotations().size();
    const std::size_t places = moments_.translations().size();
    const auto patternOf = [&](std::size_t count) {
        BlockCholesky::Pattern pattern;
        for (const Moments::Pair& pair : moments_.pairs()) pattern.push_back({pair.a, pair.b});
        if (count == turns) return pattern;
        const auto first = static_cast<std::uint32_t>(turns);
        for (const Moments::Pair& pair : moments_.crossPairs())
            pattern.push_back({pair.a, first + pair.b});
        for (const Moments::Pair& pair : moments_.placePairs())
            pattern.push_back({first + pair.a, first + pair.b});
        return pattern;
    };
    const bool must_keep = options_.method == FitMethod::Alternating;
    std::size_t kept_products = 0;
    if (must_keep || places <= kMostKept) {
        blocks_ = turns + places;
        kept_products = cholesky_.analyze(blocks_, patternOf(blocks_));
        const std::size_t dense_products = turns < 1 ? 0 : (turns - 1) * turns * (turns + 1) / 6;
        if (must_keep || places == 0 || kept_products <= dense_products) return;
    }
    moments_.build(layout, pack, TranslationsAre::Eliminated);
    blocks_ = turns;
    static_cast<void>(cholesky_.analyze(blocks_, patternOf(blocks_)));
}

void FitSolver::weigh(const FitLayout& layout, const VertexPack& pack,
                      std::span<const double> masses, double smoothness) {
    moments_.weigh(layout, pack, masses, smoothness);
    linear_is_ready_ = false;
    const std::size_t turns = moments_.rotations().size();
    double largest = 0.0;
    for (std::size_t b = 0; b < blocks_; ++b) {
        scales_[b] = b < turns ? moments_.ownScale(b) : moments_.placeMoment(b - turns, b - turns);
        if (b < turns) largest = std::max(largest, scales_[b]);
    }
    // What is not weighted at all still has to have a scale.
    for (double& scale : scales_) scale = std::max(scale, 1e-12 * largest);
}

void FitSolver::setFrame(const FitLayout& layout, std::span<const Rows4> point_moments,
                         const FitValues& values, const FitValues* reference,
                         std::span<const Vec3> pin_places) {
    moments_.setFrame(layout, point_moments, values, reference);
    std::copy(pin_places.begin(), pin_places.end(), pin_places_.begin());
    for (std::size_t i = 0; i < pin_places_.size(); ++i)
        moments_.shiftPin(layout, i, pin_places_[i]);
    std::copy(values.places.begin(), values.places.end(), near_places_.begin());
}

double FitSolver::computeDescent(const FitValues& values) {
    moments_.computeResidual(values, residual_, place_residual_);
    return gatherDescent(values);
}

double FitSolver::gatherDescent(const FitValues& values) {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    double sum = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Vec3 pull = axial(timesTransposed(residual_[a], values.turns[rotations[a]]));
        for (std::size_t k = 0; k < 3; ++k) descent_[3 * a + k] = pull[k];
        sum += dot(pull, pull);
    }
    for (std::size_t b = rotations.size(); b < blocks_; ++b)
        for (std::size_t k = 0; k < 3; ++k)
            descent_[3 * b + k] = place_residual_[b - rotations.size()][k];
    const double unit = moments_.mass() * size_ * size_;
    return unit > 0.0 ? std::sqrt(sum) / unit : 0.0;
}

void FitSolver::assemble(const FitValues& values, Curvature curvature) {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    cholesky_.clear();
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Mat3& turn = values.turns[rotations[a]];
        Mat3 block = inertia(timesTransposed(turn * moments_.ownMoment(a), turn));
        if (curvature == Curvature::On) {
            const Mat3 pull = timesTransposed(residual_[a], turn);
            block += inertia(pull) * 0.5;
            block += inertia(transpose(pull)) * 0.5;
        }
        cholesky_.set(cholesky_.diagonalSlot(a), block);
    }
    const std::span<const Moments::Pair> pairs = moments_.pairs();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Mat3 product =
            timesTransposed(values.turns[rotations[pairs[i].a]] * moments_.pairMoment(i),
                            values.turns[rotations[pairs[i].b]]);
        cholesky_.set(cholesky_.pairSlot(i), inertia(product));
    }
    if (blocks_ == rotations.size()) return;
    const auto scaled = [](double factor) {
        Mat3 out;
        for (std::size_t k = 0; k < 3; ++k) out.rows[k][k] = factor;
        return out;
    };
    std::size_t slot = pairs.size();
    for (const Moments::Pair& pair : moments_.crossPairs()) {
        const Vec3 arm = values.turns[rotations[pair.a]] * moments_.crossMoment(pair.a, pair.b);
        cholesky_.set(cholesky_.pairSlot(slot++), crossMatrix(arm));
    }
    for (const Moments::Pair& pair : moments_.placePairs()) {
        cholesky_.set(cholesky_.pairSlot(slot++), scaled(moments_.placeMoment(pair.a, pair.b)));
    }
    for (std::size_t t = 0; t < moments_.translations().size(); ++t) {
        cholesky_.set(cholesky_.diagonalSlot(rotations.size() + t),
                      scaled(moments_.placeMoment(t, t)));
    }
}

void FitSolver::findStep(const FitValues& values, Curvature& curvature, double damping) {
    bool positive = false;
    if (curvature == Curvature::On) {
        assemble(values, Curvature::On);
        positive = cholesky_.factor(damping, scales_);
        factored_damping_ = -1.0;
        if (!positive) curvature = Curvature::Off;
    }
    if (!positive) {
        assemble(values, Curvature::Off);
        static_cast<void>(cholesky_.factor(damping, scales_));
        factored_damping_ = damping;
    }
    std::copy(descent_.begin(), descent_.end(), step_.begin());
    cholesky_.solve(step_);
}

void FitSolver::computeStep(const FitValues& values, std::span<double> step) {
    Curvature curvature = Curvature::Off;
    findStep(values, curvature, kLeastDamping);
    std::copy(step_.begin(), step_.end(), step.begin());
}

void FitSolver::takeStep(const FitValues& from, std::span<const double> step, FitValues& to) const {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Vec3 turn{step[3 * a], step[3 * a + 1], step[3 * a + 2]};
        to.quats[rotations[a]] = normalized(quatExp(turn) * from.quats[rotations[a]]);
        to.turns[rotations[a]] = toMatrix(to.quats[rotations[a]]);
    }
}

double FitSolver::costChange(const FitValues& from, const FitValues& to) const {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    double sum = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        Mat3 moved = to.turns[rotations[a]];
        moved -= from.turns[rotations[a]];
        Mat3 both = residual_[a];
        both += next_residual_[a];
        sum += dot(moved, both);
    }
    if (!moments_.eliminated()) {
        const std::span<const std::uint32_t> translations = moments_.translations();
        for (std::size_t t = 0; t < translations.size(); ++t) {
            sum += dot(to.places[translations[t]] - from.places[translations[t]],
                       place_residual_[t] + next_place_residual_[t]);
        }
    }
    return -0.5 * sum;
}

// Shifts the goals of extra pins so that the step of the factored matrix brings the points, to
// first order, where they are pinned: the multipliers of the conditions, found with the step.
void FitSolver::aimPins(const FitLayout& layout, const FitValues& values) {
    const std::size_t rows = 3 * pin_places_.size(), n = 3 * blocks_;
    std::fill(pin_rows_.begin(), pin_rows_.end(), 0.0);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t point = layout.extra_pins[r / 3].point;
        Vec3 axis;
        axis[r % 3] = 1.0;
        for (const RotationTerm& term : layout.termsOf(point)) {
            const std::uint32_t a = moments_.activeOf(term.rotation);
            if (a == kNone) continue;
            const Vec3 turn = cross(values.turns[term.rotation] * layout.arm(point, term), axis);
            for (std::size_t k = 0; k < 3; ++k) pin_rows_[r * n + 3 * a + k] = turn[k];
        }
    }
    std::copy(pin_rows_.begin(), pin_rows_.end(), pin_moves_.begin());
    for (std::size_t r = 0; r < rows; ++r) cholesky_.solve(std::span(pin_moves_).subspan(r * n, n));
    for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t point = layout.extra_pins[r / 3].point;
        const Vec3 at = layout.position(point, values.turns, values.places);
        double miss = pin_places_[r / 3][r % 3] - at[r % 3];
        for (std::size_t k = 0; k < n; ++k) miss -= pin_moves_[r * n + k] * descent_[k];
        pin_misses_[r] = miss;
        for (std::size_t c = 0; c < rows; ++c) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k) sum += pin_rows_[r * n + k] * pin_moves_[c * n + k];
            pin_matrix_[r * rows + c] = sum;
        }
    }
    static_cast<void>(pseudoInverse(pin_matrix_, rows, pin_inverse_, pin_null_));
    for (std::size_t i = 0; i < pin_places_.size(); ++i) {
        Vec3 shift;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t c = 0; c < rows; ++c)
                shift[k] += pin_inverse_[(3 * i + k) * rows + c] * pin_misses_[c];
        moments_.shiftPin(layout, i, shift / moments_.pinMass());
    }
}

// The most that an extra pin misses, in units of the size.
double FitSolver::missedPins(const FitLayout& layout, const FitValues& values) const {
    double worst = 0.0;
    for (std::size_t i = 0; i < pin_places_.size(); ++i) {
        const Vec3 at = layout.position(layout.extra_pins[i].point, values.turns, values.places);
        worst = std::max(worst, distance(at, pin_places_[i]) / size_);
    }
    return worst;
}

void FitSolver::solveNewton(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                            FitReport& report) {
    const int most = options_.max_iterations > 0 ? options_.max_iterations : 50;
    double damping = kLeastDamping;
    double before = 0.0;
    Curvature curvature = Curvature::Off;
    report.status = FitStatus::MaxIterations;
    moments_.computePlaces(values, near_places_);
    report.gradient = computeDescent(values);
    while (report.iterations < most) {
        if (watcher) watcher->see(values, report.gradient);
        ++report.iterations;
        double length = 0.0;
        bool accepted = false;
        while (!accepted && damping <= kMostDamping) {
            findStep(values, curvature, damping);
            if (!pin_places_.empty()) {
                aimPins(layout, values);
                report.gradient = computeDescent(values);
                std::copy(descent_.begin(), descent_.end(), step_.begin());
                cholesky_.solve(step_);
            }
            double work = 0.0;
            for (std::size_t k = 0; k < step_.size(); ++k) work += step_[k] * descent_[k];
            length = std::sqrt(std::max(work, 0.0) / moments_.mass()) / size_;
            takeStep(values, step_, trial_);
            moments_.computePlaces(trial_, near_places_);
            moments_.computeResidual(trial_, next_residual_, next_place_residual_);
            // Below this the change is rounding of moments: the step is as good as it gets.
            accepted = costChange(values, trial_) <= 0.0 || length < 1e-13;
            if (accepted) break;
            if (curvature == Curvature::Off)
                damping = std::max(damping * kDampingStep, kFirstDamping);
            curvature = Curvature::Off;
        }
        if (!accepted) {
            report.status = FitStatus::Stalled;
            break;
        }
        std::swap(values, trial_);
        std::swap(residual_, next_residual_);
        std::swap(place_residual_, next_place_residual_);
        const double missed = missedPins(layout, values);
        report.gradient = gatherDescent(values);
        const double left =
            report.iterations > 1 ? std::min(length, remaining(length, before)) : length;
        if (left <= options_.tolerance && missed <= options_.tolerance) {
            report.status = FitStatus::Converged;
            break;
        }
        // Small steps that shrink slowly: what is left of the shape bends the cost.
        const bool slow = length < kNear && length > kSlow * before;
        curvature = slow || curvature == Curvature::On ? Curvature::On : Curvature::Off;
        before = length;
        damping = damping > kFirstDamping ? damping / kDampingStep : kLeastDamping;
    }
    if (watcher) watcher->see(values, report.gradient);
}

// One line search of rotations down the gradient, scaled by each point's own inertia, positions
// held. Returns by how much the cost fell.
double FitSolver::turnDownhill(FitValues& values, double& reach) {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    double slope = 0.0;
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Mat3& turn = values.turns[rotations[a]];
        Mat3 own = inertia(timesTransposed(turn * moments_.ownMoment(a), turn));
        const double trace = own.rows[0].x + own.rows[1].y + own.rows[2].z;
        // A turn that hardly moves anything is not to be taken for a large one.
        for (std::size_t k = 0; k < 3; ++k) own.rows[k][k] += 1e-6 * trace + 1e-300;
        const Vec3 pull{descent_[3 * a], descent_[3 * a + 1], descent_[3 * a + 2]};
        const Vec3 c0 = cross(own.rows[1], own.rows[2]), c1 = cross(own.rows[2], own.rows[0]),
                   c2 = cross(own.rows[0], own.rows[1]);
        const double det = dot(own.rows[0], c0);
        const Vec3 move = det > 0.0 ? (c0 * pull.x + c1 * pull.y + c2 * pull.z) / det : Vec3{};
        for (std::size_t k = 0; k < 3; ++k) descent_[3 * a + k] = move[k];
        slope += dot(move, pull);
    }
    reach = std::min(2.0 * reach, 4.0);
    for (int halvings = 0; halvings < 60; ++halvings, reach *= 0.5) {
        for (std::size_t k = 0; k < step_.size(); ++k) step_[k] = reach * descent_[k];
        takeStep(values, step_, trial_);
        trial_.places = values.places;
        moments_.computeResidual(trial_, next_residual_, next_place_residual_);
        const double change = costChange(values, trial_);
        if (change > -1e-4 * reach * slope) continue;
        std::swap(values, trial_);
        return -change;
    }
    return 0.0;
}

// Moves the goals of extra pins on by what they miss.
void FitSolver::shiftPins(const FitLayout& layout, const FitValues& values) {
    for (std::size_t i = 0; i < pin_places_.size(); ++i) {
        const std::uint32_t point = layout.extra_pins[i].point;
        const Vec3 at = layout.position(point, values.turns, values.places);
        moments_.shiftPin(layout, i, pin_places_[i] - at);
    }
}

void FitSolver::solveAlternating(const FitLayout& layout, FitValues& values,
                                 IterationWatcher* watcher, FitReport& report) {
    const int most = options_.max_iterations > 0 ? options_.max_iterations : 2000;
    double reach = 0.5, before = 0.0, missed_before = 1e300;
    int stuck = 0;
    report.status = FitStatus::MaxIterations;
    moments_.computePlaces(values, near_places_);
    report.gradient = computeDescent(values);
    while (report.iterations < most) {
        if (watcher) watcher->see(values, report.gradient);
        ++report.iterations;
        const double fall = turnDownhill(values, reach);
        moments_.computePlaces(values, near_places_);
        const double missed = missedPins(layout, values);
        const double length = std::sqrt(2.0 * fall / moments_.mass()) / size_;
        // Single line searches are uneven: the rate is that of the average over a few.
        const double smooth = before > 0.0 ? std::sqrt(before * length) : length;
        const double left = std::max(length, remaining(smooth, before));
        before = smooth;
        const bool ends = length <= 1e-13 || left <= options_.tolerance;
        if (ends && missed <= options_.tolerance) {
            report.status = FitStatus::Converged;
            report.gradient = computeDescent(values);
            break;
        }
        if (length <= 1e-13 || left <= kPinLoose * missed) {
            stuck = missed > 0.9 * missed_before ? stuck + 1 : 0;
            missed_before = missed;
            before = 0.0;
            shiftPins(layout, values);
        }
        report.gradient = computeDescent(values);
        if (stuck == kPinStuck) {
            report.status = FitStatus::Stalled;
            break;
        }
    }
    if (watcher) watcher->see(values, report.gradient);
}

void FitSolver::solve(const FitLayout& layout, FitValues& values, IterationWatcher* watcher,
                      FitReport& report) {
    factored_damping_ = -1.0;
    for (std::size_t a = 0; a < values.quats.size(); ++a) {
        trial_.quats[a] = values.quats[a];
        trial_.turns[a] = values.turns[a];
    }
    std::copy(values.places.begin(), values.places.end(), trial_.places.begin());
    if (!(moments_.mass() > 0.0)) {
        report.status = FitStatus::Converged;
        report.gradient = 0.0;
    } else if (options_.method == FitMethod::Alternating) {
        solveAlternating(layout, values, watcher, report);
    } else {
        solveNewton(layout, values, watcher, report);
    }
}

}  // namespace ulna::fit::detail
