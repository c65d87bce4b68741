// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/detail/rank.h"

#include <algorithm>
#include <cmath>

#include "ulna/fit/detail/solver.h"

namespace ulna::fit::detail {
namespace {

constexpr double kDetermined = 1e-7;  // of a pivot's own size; as in the solver of control points
constexpr double kTakesPart = 1e-3;   // of the largest part in what is open

}  // namespace

RankFinder::RankFinder(std::size_t coordinates)
    : damped_(coordinates * coordinates), null_(coordinates) {}

void RankFinder::find(std::span<const double> matrix, std::span<const Move> moves, double size,
                      bool weighed, FitReport& report) {
    const std::size_t n = moves.size();
    report.freedoms = report.rank = n;
    report.undetermined.clear();
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix[i * n + i]);
    std::copy(matrix.begin(), matrix.end(), damped_.begin());
    for (std::size_t i = 0; i < n; ++i)
        damped_[i * n + i] += kLeastDamping * std::max(matrix[i * n + i], 1e-12 * largest) + 1e-300;
    if (n == 0 || !cholesky_.factor(damped_, n)) return;
    for (std::size_t i = 0; i < n; ++i) {
        const double own = matrix[i * n + i];
        if (weighed && own > 0.0 && cholesky_.pivot(i) > kDetermined * own) continue;
        --report.rank;
        cholesky_.nullVector(i, null_);
        double most = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (moves[k].kind == MoveKind::Slide) null_[k] /= size;
            most = std::max(most, std::abs(null_[k]));
        }
        for (std::size_t k = 0; k < n; ++k) {
            const auto end = report.undetermined.end();
            if (!(std::abs(null_[k]) > kTakesPart * most)) continue;
            if (std::find(report.undetermined.begin(), end, moves[k].joint) == end)
                report.undetermined.push_back(moves[k].joint);
        }
    }
    std::sort(report.undetermined.begin(), report.undetermined.end());
}

}  // namespace ulna::fit::detail
