// SPDX-License-Identifier: Apache-2.0

// How an iteration starts without a pose to start from, and what it leaves undetermined.
#include <algorithm>
#include <cmath>

#include "ulna/fit/detail/solver.h"
#include "ulna/math/polar.h"

namespace ulna::fit::detail {
namespace {

// The ridge of the linear problem, in units of its diagonal.
constexpr double kRidge = 1e-7;

// Of a coordinate's own diagonal, what must be left for it to count as determined.
constexpr double kDetermined = 1e-7;

// The share in a null vector, relative to the largest, that makes a point part of it.
constexpr double kTakesPart = 1e-3;

}  // namespace

// The matrix of the linear problem: unknowns are the rows of all rotations as free matrices, and
// the positions that are kept. One matrix serves all three coordinates.
void FitSolver::buildLinear() {
    const std::size_t turns = moments_.rotations().size();
    const std::size_t places = blocks_ - turns;
    const std::size_t n = 3 * turns + places;
    linear_matrix_.assign(n * n, 0.0);
    linear_ridge_.assign(n, 0.0);
    linear_sides_.assign(3 * n, 0.0);
    const auto put = [&](std::size_t a, std::size_t b, const Mat3& m) {
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                linear_matrix_[(3 * a + r) * n + 3 * b + c] = m.rows[r][c];
                linear_matrix_[(3 * b + c) * n + 3 * a + r] = m.rows[r][c];
            }
        }
    };
    for (std::size_t a = 0; a < turns; ++a) put(a, a, moments_.ownMoment(a));
    for (std::size_t i = 0; i < moments_.pairs().size(); ++i)
        put(moments_.pairs()[i].a, moments_.pairs()[i].b, moments_.pairMoment(i));
    for (std::size_t t = 0; t < places; ++t) {
        const std::size_t row = 3 * turns + t;
        for (std::size_t a = 0; a < turns; ++a) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double value = moments_.crossMoment(a, t)[k];
                linear_matrix_[row * n + 3 * a + k] = linear_matrix_[(3 * a + k) * n + row] = value;
            }
        }
        for (std::size_t s = 0; s < places; ++s)
            linear_matrix_[row * n + 3 * turns + s] = moments_.placeMoment(t, s);
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, linear_matrix_[i * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
        // In the plane, and where nothing is weighted, a diagonal is zero.
        const double own = linear_matrix_[i * n + i];
        linear_ridge_[i] = kRidge * std::max(own, 1e-4 * largest) + 1e-300;
        linear_matrix_[i * n + i] += linear_ridge_[i];
    }
    linear_is_ready_ = linear_.factor(linear_matrix_, n);
}

void FitSolver::startCold(FitValues& values) {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    if (!(moments_.mass() > 0.0) || rotations.empty()) return;
    if (!linear_is_ready_) buildLinear();
    if (!linear_is_ready_) return;
    const std::size_t turns = rotations.size();
    const std::size_t n = linear_ridge_.size();
    for (std::size_t r = 0; r < 3; ++r) {
        double* side = linear_sides_.data() + r * n;
        for (std::size_t a = 0; a < turns; ++a) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double rest = r == k ? linear_ridge_[3 * a + k] : 0.0;
                side[3 * a + k] = moments_.frameMoment(a).rows[r][k] + rest;
            }
        }
        for (std::size_t t = 0; 3 * turns + t < n; ++t)
            side[3 * turns + t] = moments_.framePlace(t)[r];
    }
    linear_.solve(linear_sides_, 3);

    trial_ = values;
    for (std::size_t a = 0; a < turns; ++a) {
        Mat3 free;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t k = 0; k < 3; ++k) free.rows[r][k] = linear_sides_[r * n + 3 * a + k];
        const Quat turn = (options_.planar ? nearestPlanarRotation(free) : nearestRotation(free))
                              .value_or(Quat{});
        trial_.quats[rotations[a]] = turn;
        trial_.turns[rotations[a]] = toMatrix(turn);
    }
    moments_.computePlaces(values, near_places_);
    moments_.computePlaces(trial_, near_places_);
    moments_.computeResidual(values, residual_, place_residual_);
    moments_.computeResidual(trial_, next_residual_, next_place_residual_);
    if (costChange(values, trial_) < 0.0) std::swap(values, trial_);
}

void FitSolver::findRank(const FitLayout& layout, const FitValues& values, FitReport& report) {
    const std::span<const std::uint32_t> rotations = moments_.rotations();
    const std::span<const std::uint32_t> translations = moments_.translations();
    const std::size_t along = options_.planar ? 2 : 3;
    report.undetermined.clear();
    report.freedoms = rotations.size() * (options_.planar ? 1 : 3) + translations.size() * along;
    report.rank = report.freedoms;
    const auto note = [&](std::uint32_t point) {
        const auto end = report.undetermined.end();
        if (std::find(report.undetermined.begin(), end, point) == end)
            report.undetermined.push_back(point);
    };
    if (factored_damping_ != kLeastDamping || !(moments_.mass() > 0.0)) {
        assemble(values, Curvature::Off);
        static_cast<void>(cholesky_.factor(kLeastDamping, scales_));
    }
    for (std::size_t k = 0; k < 3 * blocks_; ++k) {
        const bool turns = k < 3 * rotations.size();
        if (options_.planar && turns != (k % 3 == 2)) continue;
        if (moments_.mass() > 0.0 && cholesky_.independence(k, scales_[k / 3]) > kDetermined)
            continue;
        --report.rank;
        cholesky_.nullVector(k, step_);
        double largest = 0.0;
        for (std::size_t i = 0; i < step_.size(); ++i) {
            if (i >= 3 * rotations.size()) step_[i] /= size_;
            largest = std::max(largest, std::abs(step_[i]));
        }
        for (std::size_t i = 0; i < step_.size(); ++i) {
            if (!(std::abs(step_[i]) > kTakesPart * largest)) continue;
            const std::size_t block = i / 3;
            note(block < rotations.size()
                     ? layout.rotations[rotations[block]].point
                     : layout.translations[translations[block - rotations.size()]].point);
        }
    }
    if (!moments_.eliminated()) {
        std::sort(report.undetermined.begin(), report.undetermined.end());
        return;
    }
    report.rank -= (translations.size() - moments_.placeRank()) * along;
    for (std::size_t t = 0; t < translations.size(); ++t)
        if (moments_.placeIsOpen(t)) note(layout.translations[translations[t]].point);
    std::sort(report.undetermined.begin(), report.undetermined.end());
}

}  // namespace ulna::fit::detail
