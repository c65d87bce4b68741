// SPDX-License-Identifier: Apache-2.0

#include "ulna/math/sparse_cholesky.h"

#include <algorithm>

namespace ulna {

bool SparseCholesky::factor(std::span<const double> matrix, std::size_t n) {
    rest_.assign(matrix.begin(), matrix.end());
    pivots_.resize(n);
    first_.resize(n);
    entries_.clear();
    for (std::size_t j = n; j-- > 0;) {
        const double* own_row = rest_.data() + j * n;
        const double pivot = own_row[j];
        if (!(pivot > 0.0)) return false;
        pivots_[j] = pivot;
        first_[j] = entries_.size();
        for (std::uint32_t i = 0; i < j; ++i)
            if (own_row[i] != 0.0) entries_.push_back({i, own_row[i] / pivot});
        const std::span<const Entry> own = std::span(entries_).subspan(first_[j]);
        for (std::size_t a = 0; a < own.size(); ++a) {
            double* updated = rest_.data() + own[a].column * n;
            const double factor = own_row[own[a].column];
            for (std::size_t b = 0; b <= a; ++b) updated[own[b].column] -= factor * own[b].share;
        }
    }
    return true;
}

std::span<const SparseCholesky::Entry> SparseCholesky::row(std::size_t j) const {
    const std::size_t end = j == 0 ? entries_.size() : first_[j - 1];
    return std::span(entries_).subspan(first_[j], end - first_[j]);
}

void SparseCholesky::solve(std::span<double> x) const {
    const std::size_t n = pivots_.size();
    for (std::size_t j = n; j-- > 0;)
        for (const Entry& entry : row(j)) x[entry.column] -= entry.share * x[j];
    for (std::size_t j = 0; j < n; ++j) {
        x[j] /= pivots_[j];
        for (const Entry& entry : row(j)) x[j] -= entry.share * x[entry.column];
    }
}

void SparseCholesky::nullVector(std::size_t k, std::span<double> x) const {
    std::fill(x.begin(), x.end(), 0.0);
    x[k] = 1.0;
    for (std::size_t j = k + 1; j < pivots_.size(); ++j)
        for (const Entry& entry : row(j)) x[j] -= entry.share * x[entry.column];
}

}  // namespace ulna
