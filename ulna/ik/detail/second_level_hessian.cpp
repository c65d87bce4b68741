// SPDX-License-Identifier: Apache-2.0

// Second derivatives of level 2 along the null space of level 1.
#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/second_level.h"

namespace ulna::ik::detail {

// Over the free coordinates, into hessian_. Across the null space it is stiff, so that steps stay
// within. Needs what project() left, and leaves it.
void SecondLevel::computeHessian(Problem& problem, const Evaluation& now) {
    const std::size_t n = problem.columnCount();
    std::vector<std::size_t>& free = hessian_.free();
    free.clear();
    for (std::size_t c = 0; c < n; ++c) {
        if (at_.isFree(c)) free.push_back(c);
    }
    computeProjector(problem);
    // The second derivatives of level 1 are known where it is met.
    constexpr double kMet = 1e-3;  // of the tolerances
    bool met = CostHessian::isAnalytic(problem);
    for (const Problem::Row& row : problem.goalRows()) {
        if (row.level == 1 && row.factor != 0.0)
            met = met && now.errors[row.goal] <= kMet * row.tolerance;
    }
    if (met) {
        computeLagrangeColumns(problem, now);
    } else {
        estimateColumns(problem, now);
        project(problem, now);
    }
    const std::size_t count = free.size();
    std::vector<double>& matrix = hessian_.matrix();
    matrix.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < count; ++k)
                sum += projector_[i * count + k] * columns_[k * count + j];
            matrix[std::max(i, j) * count + std::min(i, j)] += i == j ? sum : 0.5 * sum;
        }
    }
    const double largest = hessian_.largestCurvature();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            matrix[i * count + j] += largest * ((i == j ? 1.0 : 0.0) - projector_[i * count + j]);
    }
}

// Onto the null space of level 1, over the free coordinates.
void SecondLevel::computeProjector(const Problem& problem) {
    const std::size_t m1 = problem.levelOneRows();
    const std::vector<std::size_t>& free = hessian_.free();
    const std::size_t count = free.size();
    projector_.assign(count * count, 0.0);
    for (std::size_t j = 0; j < count; ++j) {
        problem.computeColumn(free[j], rows_);
        std::copy(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(m1),
                  first_rhs_.begin());
        eigen_.applyPseudoInverse(first_rhs_, kRankCutoff, {multipliers_.data(), m1});
        problem.applyTransposed(multipliers_, moves_);
        for (std::size_t i = 0; i < count; ++i)
            projector_[i * count + j] = (i == j ? 1.0 : 0.0) - moves_[free[i]];
    }
}

// Columns_: how the projected gradient changes along the null space. Level 2's own second
// derivatives, and those of level 1 by the multipliers with which it holds level 2's pull.
void SecondLevel::computeLagrangeColumns(Problem& problem, const Evaluation& now) {
    const std::size_t count = hessian_.free().size();
    projectGradient(problem, now, gradient_);
    hessian_.start(problem);
    for (const Problem::Row& row : problem.goalRows()) {
        if (row.factor == 0.0) continue;
        if (row.level == 2) {
            hessian_.addGoal(problem, now, row);
            continue;
        }
        Vec3 pull;
        for (std::size_t k = 0; k < row.count; ++k)
            pull[k] = -row.factor * multipliers_[row.first + k];
        hessian_.addRows(problem, now, row, pull);
    }
    const std::vector<double>& matrix = hessian_.matrix();
    columns_.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < count; ++k)
                sum += matrix[std::max(i, k) * count + std::min(i, k)] * projector_[k * count + j];
            columns_[i * count + j] = sum;
        }
    }
}

// The same by differences.
void SecondLevel::estimateColumns(Problem& problem, const Evaluation& now) {
    constexpr double kStep = 1e-5;
    const std::vector<std::size_t>& free = hessian_.free();
    const std::size_t count = free.size();
    const auto scale = problem.columnScale();
    columns_.assign(count * count, 0.0);
    for (std::size_t j = 0; j < count; ++j) {
        for (const double side : {1.0, -1.0}) {
            std::fill(moves_.begin(), moves_.end(), 0.0);
            for (std::size_t i = 0; i < count; ++i)
                moves_[free[i]] = side * kStep * projector_[i * count + j] * scale[free[i]];
            problem.mechanism().retract(now.at, moves_, trial_.at);
            problem.evaluate(trial_);
            problem.linearize(trial_);
            projectGradient(problem, trial_, gradient_);
            for (std::size_t i = 0; i < count; ++i)
                columns_[i * count + j] += side * gradient_[free[i]] / (2.0 * kStep);
        }
    }
}

}  // namespace ulna::ik::detail
