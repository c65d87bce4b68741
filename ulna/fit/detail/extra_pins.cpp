// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/extra_pins.h"

#include <algorithm>

#include "ulna/math/dense.h"

namespace ulna::fit::detail {

void ExtraPins::build(const FitLayout& layout, std::size_t coordinates) {
    coordinates_ = coordinates;
    const std::size_t rows = 3 * layout.extra_pins.size();
    positions_.assign(layout.extra_pins.size(), {});
    rows_.assign(rows * coordinates, 0.0);
    responses_ = rows_;
    matrix_.assign(rows * rows, 0.0);
    inverse_ = null_ = matrix_;
    misses_.assign(rows, 0.0);
}

void ExtraPins::setFrame(const FitLayout& layout, std::span<const Vec3> positions,
                         Moments& moments) {
    std::copy(positions.begin(), positions.end(), positions_.begin());
    for (std::size_t i = 0; i < positions_.size(); ++i) moments.shiftPin(layout, i, positions_[i]);
}

void ExtraPins::computeRows(const FitLayout& layout, const FitValues& values,
                            const Unknowns& unknowns) {
    std::fill(rows_.begin(), rows_.end(), 0.0);
    for (std::size_t r = 0; r < misses_.size(); ++r) {
        const std::uint32_t point = layout.extra_pins[r / 3].point;
        Vec3 axis;
        axis[r % 3] = 1.0;
        for (const RotationTerm& term : layout.termsOf(point)) {
            const std::uint32_t a = unknowns.index_of_rotation[term.rotation];
            if (a == kNone) continue;
            const Vec3 arm = values.rotations[term.rotation] * layout.arm(point, term);
            const Vec3 turning = cross(arm, axis);
            for (std::size_t k = 0; k < 3; ++k) rows_[r * coordinates_ + 3 * a + k] = turning[k];
        }
    }
}

void ExtraPins::aim(const FitLayout& layout, const FitValues& values, const NormalSystem& system,
                    std::span<const double> descent, Moments& moments) {
    const std::size_t rows = misses_.size(), n = coordinates_;
    computeRows(layout, values, moments.unknowns());
    std::copy(rows_.begin(), rows_.end(), responses_.begin());
    for (std::size_t r = 0; r < rows; ++r) system.solve(std::span(responses_).subspan(r * n, n));
    for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t point = layout.extra_pins[r / 3].point;
        const Vec3 at = layout.position(point, values.rotations, values.positions);
        double miss = positions_[r / 3][r % 3] - at[r % 3];
        for (std::size_t k = 0; k < n; ++k) miss -= responses_[r * n + k] * descent[k];
        misses_[r] = miss;
        for (std::size_t c = 0; c < rows; ++c) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k) sum += rows_[r * n + k] * responses_[c * n + k];
            matrix_[r * rows + c] = sum;
        }
    }
    static_cast<void>(pseudoInverse(matrix_, rows, inverse_, null_));
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        Vec3 by;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t c = 0; c < rows; ++c)
                by[k] += inverse_[(3 * i + k) * rows + c] * misses_[c];
        moments.shiftPin(layout, i, by / moments.pinMass());
    }
}

void ExtraPins::shift(const FitLayout& layout, const FitValues& values, Moments& moments) const {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const std::uint32_t point = layout.extra_pins[i].point;
        const Vec3 at = layout.position(point, values.rotations, values.positions);
        moments.shiftPin(layout, i, positions_[i] - at);
    }
}

double ExtraPins::largestMiss(const FitLayout& layout, const FitValues& values) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const std::uint32_t point = layout.extra_pins[i].point;
        const Vec3 at = layout.position(point, values.rotations, values.positions);
        largest = std::max(largest, distance(at, positions_[i]));
    }
    return largest;
}

}  // namespace ulna::fit::detail
