// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/block_cholesky.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/fit/detail/fit_simd.h"

namespace ulna::fit::detail {
namespace {

constexpr std::size_t kBlock = 12;

}  // namespace

void BlockCholesky::findOrder(std::size_t blocks, const Pattern& pairs,
                              std::vector<std::vector<std::uint32_t>>& columns) {
    std::vector<std::uint8_t> linked(blocks * blocks, 0);
    for (const auto& [a, b] : pairs) linked[a * blocks + b] = linked[b * blocks + a] = 1;
    std::vector<std::size_t> degrees(blocks, 0);
    for (std::size_t i = 0; i < blocks; ++i)
        for (std::size_t k = 0; k < blocks; ++k) degrees[i] += k != i ? linked[i * blocks + k] : 0;
    std::vector<std::uint8_t> gone(blocks, 0);
    order_.assign(blocks, 0);
    block_at_.assign(blocks, 0);
    columns.clear();
    for (std::uint32_t at = 0; at < blocks; ++at) {
        std::size_t next = blocks;
        for (std::size_t i = 0; i < blocks; ++i)
            if (!gone[i] && (next == blocks || degrees[i] < degrees[next])) next = i;
        gone[next] = 1;
        order_[next] = at;
        block_at_[at] = static_cast<std::uint32_t>(next);
        std::vector<std::uint32_t> below;
        for (std::uint32_t k = 0; k < blocks; ++k)
            if (!gone[k] && linked[next * blocks + k]) below.push_back(k);
        for (const std::uint32_t i : below) {
            --degrees[i];
            for (const std::uint32_t k : below) {
                if (i == k || linked[i * blocks + k]) continue;
                linked[i * blocks + k] = 1;
                ++degrees[i];
            }
        }
        columns.push_back(std::move(below));
    }
}

std::size_t BlockCholesky::analyze(std::size_t blocks, const Pattern& pairs) {
    std::vector<std::vector<std::uint32_t>> columns;
    findOrder(blocks, pairs, columns);
    first_.clear();
    rows_.clear();
    for (std::vector<std::uint32_t>& column : columns) {
        for (std::uint32_t& row : column) row = order_[row];
        std::sort(column.begin(), column.end());
        first_.push_back(static_cast<std::uint32_t>(rows_.size()));
        rows_.insert(rows_.end(), column.begin(), column.end());
    }
    first_.push_back(static_cast<std::uint32_t>(rows_.size()));
    const auto slotOf = [&](std::uint32_t row, std::uint32_t column) {
        if (row == column) return row;
        const auto* begin = rows_.data() + first_[column];
        const auto* end = rows_.data() + first_[column + 1];
        const auto at = std::lower_bound(begin, end, row);
        return static_cast<std::uint32_t>(blocks + static_cast<std::size_t>(at - rows_.data()));
    };
    first_target_.clear();
    targets_.clear();
    for (std::size_t c = 0; c < blocks; ++c) {
        first_target_.push_back(static_cast<std::uint32_t>(targets_.size()));
        for (std::uint32_t i = first_[c]; i < first_[c + 1]; ++i)
            for (std::uint32_t k = first_[c]; k <= i; ++k)
                targets_.push_back(slotOf(rows_[i], rows_[k]));
    }
    pair_slots_.clear();
    for (const auto& [a, b] : pairs) {
        const bool transposed = order_[a] < order_[b];
        pair_slots_.push_back(
            {transposed ? slotOf(order_[b], order_[a]) : slotOf(order_[a], order_[b]), transposed});
    }
    matrix_.assign((blocks + rows_.size()) * kBlock, 0.0);
    factor_ = matrix_;
    inverse_roots_.assign(3 * blocks, 0.0);
    work_.assign(3 * blocks, 0.0);
    return targets_.size();
}

void BlockCholesky::clear() {
    std::fill(matrix_.begin(), matrix_.end(), 0.0);
}

void BlockCholesky::set(const Slot& slot, const Mat3& block) {
    double* out = matrix_.data() + slot.block * kBlock;
    for (std::size_t r = 0; r < 3; ++r) {
        const Vec3& row = block.rows[r];
        if (slot.transposed) {
            out[4 * r] = row.x;
            out[4 * r + 1] = row.y;
            out[4 * r + 2] = row.z;
        } else {
            out[r] = row.x;
            out[4 + r] = row.y;
            out[8 + r] = row.z;
        }
    }
}

bool BlockCholesky::factor(double damping, std::span<const double> scales) {
    const std::size_t blocks = order_.size();
    std::copy(matrix_.begin(), matrix_.end(), factor_.begin());
    bool positive = true;
    for (std::size_t c = 0; c < blocks; ++c) {
        double* d = factor_.data() + c * kBlock;
        double* inv = inverse_roots_.data() + 3 * c;
        double floors[3];
        for (std::size_t k = 0; k < 3; ++k) {
            floors[k] =
                damping * std::max(matrix_[c * kBlock + 5 * k], scales[block_at_[c]]) + 1e-300;
            d[5 * k] += floors[k];
        }
        // Rounding may take a pivot of nothing below zero: the damping is what it should be.
        const auto root = [&](std::size_t k) {
            positive = positive && d[5 * k] > 0.0;
            d[5 * k] = std::sqrt(std::max(d[5 * k], 0.5 * floors[k]));
            inv[k] = 1.0 / d[5 * k];
        };
        root(0);
        d[1] *= inv[0];
        d[2] *= inv[0];
        d[5] -= d[1] * d[1];
        root(1);
        d[6] = (d[6] - d[2] * d[1]) * inv[1];
        d[10] -= d[2] * d[2] + d[6] * d[6];
        root(2);
        const double l10 = d[1], l20 = d[2], l21 = d[6];
        for (std::uint32_t i = first_[c]; i < first_[c + 1]; ++i) {
            double* a = factor_.data() + (blocks + i) * kBlock;
            for (std::size_t r = 0; r < 4; ++r) {
                const double x0 = a[r] * inv[0];
                const double x1 = (a[4 + r] - x0 * l10) * inv[1];
                a[r] = x0;
                a[4 + r] = x1;
                a[8 + r] = (a[8 + r] - x0 * l20 - x1 * l21) * inv[2];
            }
        }
        subtractProductsSimd(factor_.data() + (blocks + first_[c]) * kBlock,
                             first_[c + 1] - first_[c], targets_.data() + first_target_[c],
                             factor_.data());
    }
    return positive;
}

void BlockCholesky::backward(std::span<double> x) const {
    const std::size_t blocks = order_.size();
    for (std::size_t c = blocks; c-- > 0;) {
        double* y = x.data() + 3 * c;
        for (std::uint32_t i = first_[c]; i < first_[c + 1]; ++i) {
            const double* a = factor_.data() + (blocks + i) * kBlock;
            const double* z = x.data() + 3 * static_cast<std::size_t>(rows_[i]);
            for (std::size_t k = 0; k < 3; ++k)
                y[k] -= a[4 * k] * z[0] + a[4 * k + 1] * z[1] + a[4 * k + 2] * z[2];
        }
        const double* d = factor_.data() + c * kBlock;
        const double* inv = inverse_roots_.data() + 3 * c;
        y[2] *= inv[2];
        y[1] = (y[1] - d[6] * y[2]) * inv[1];
        y[0] = (y[0] - d[1] * y[1] - d[2] * y[2]) * inv[0];
    }
}

void BlockCholesky::solve(std::span<double> x) const {
    const std::size_t blocks = order_.size();
    ULNA_ASSERT(x.size() == 3 * blocks, "three values per block are needed");
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t k = 0; k < 3; ++k) work_[3 * order_[b] + k] = x[3 * b + k];
    for (std::size_t c = 0; c < blocks; ++c) {
        double* y = work_.data() + 3 * c;
        const double* d = factor_.data() + c * kBlock;
        const double* inv = inverse_roots_.data() + 3 * c;
        y[0] *= inv[0];
        y[1] = (y[1] - d[1] * y[0]) * inv[1];
        y[2] = (y[2] - d[2] * y[0] - d[6] * y[1]) * inv[2];
        for (std::uint32_t i = first_[c]; i < first_[c + 1]; ++i) {
            const double* a = factor_.data() + (blocks + i) * kBlock;
            double* z = work_.data() + 3 * static_cast<std::size_t>(rows_[i]);
            for (std::size_t k = 0; k < 3; ++k)
                z[k] -= a[k] * y[0] + a[4 + k] * y[1] + a[8 + k] * y[2];
        }
    }
    backward(work_);
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t k = 0; k < 3; ++k) x[3 * b + k] = work_[3 * order_[b] + k];
}

double BlockCholesky::independence(std::size_t k, double scale) const {
    const std::size_t at = order_[k / 3] * kBlock + 5 * (k % 3);
    const double own = std::max(matrix_[at], scale);
    return own > 0.0 ? factor_[at] * factor_[at] / own : 0.0;
}

void BlockCholesky::nullVector(std::size_t k, std::span<double> x) const {
    const std::size_t blocks = order_.size();
    std::fill(work_.begin(), work_.end(), 0.0);
    work_[3 * order_[k / 3] + k % 3] = 1.0 / inverse_roots_[3 * order_[k / 3] + k % 3];
    backward(work_);
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t i = 0; i < 3; ++i) x[3 * b + i] = work_[3 * order_[b] + i];
}

}  // namespace ulna::fit::detail
