// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/rank.h"

#include "ulna/solve/damped_newton.h"

namespace ulna::fit::detail {

void RankFinder::find(std::span<const double> matrix, std::span<const RankCoordinate> coordinates,
                      bool weighed, FitReport& report) {
    const std::size_t n = coordinates.size();
    report.freedoms = report.rank = n;
    report.undetermined.clear();
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix[i * n + i]);
    damped_.assign(matrix.begin(), matrix.end());
    null_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        damped_[i * n + i] +=
            kSettlingDamping * std::max(matrix[i * n + i], 1e-12 * largest) + 1e-300;
    if (n == 0 || !cholesky_.factor(damped_, n)) return;
    for (std::size_t i = 0; i < n; ++i) {
        const double own = matrix[i * n + i];
        if (weighed && own > 0.0 && cholesky_.pivot(i) > kDetermined * own) continue;
        --report.rank;
        cholesky_.nullVector(i, null_);
        for (std::size_t k = 0; k < n; ++k) null_[k] /= coordinates[k].unit;
        addParticipants(
            null_, [&](std::size_t k) { return coordinates[k].joint; }, report.undetermined);
    }
    std::sort(report.undetermined.begin(), report.undetermined.end());
}

}  // namespace ulna::fit::detail
