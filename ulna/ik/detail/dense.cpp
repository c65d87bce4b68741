// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/dense.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <vector>

namespace ulna::ik::detail {
namespace {

// Matrices of at most this many rows live in fixed memory, so that decomposing them allocates
// nothing; larger ones use the heap.
constexpr int kFixedRows = 48;

template <class Matrix>
void decompose(const double* m, std::size_t n, std::vector<double>& values,
               std::vector<double>& vectors) {
    const auto size = static_cast<Eigen::Index>(n);
    Matrix matrix(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
            matrix(i, j) = matrix(j, i) =
                m[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
        }
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
    values.resize(n);
    vectors.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto column = static_cast<Eigen::Index>(i);
        values[i] = solver.eigenvalues()(column);
        Eigen::Index largest = 0;
        solver.eigenvectors().col(column).cwiseAbs().maxCoeff(&largest);
        const double sign = solver.eigenvectors()(largest, column) < 0.0 ? -1.0 : 1.0;
        for (std::size_t k = 0; k < n; ++k)
            vectors[i * n + k] = sign * solver.eigenvectors()(static_cast<Eigen::Index>(k), column);
    }
}

}  // namespace

void SymmetricEigen::compute(const double* m, std::size_t n) {
    size_ = n;
    if (n == 0) return;
    using Fixed = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kFixedRows, kFixedRows>;
    if (n <= kFixedRows)
        decompose<Fixed>(m, n, values_, vectors_);
    else
        decompose<Eigen::MatrixXd>(m, n, values_, vectors_);
}

void SymmetricEigen::applyPseudoInverse(std::span<const double> b, double cutoff,
                                        std::span<double> x) const {
    std::fill(x.begin(), x.end(), 0.0);
    const std::size_t n = b.size();
    if (n == 0) return;
    const double least = cutoff * std::max(value(n - 1), 0.0);
    for (std::size_t i = n; i-- > 0 && value(i) > least;) {
        double along = 0.0;
        for (std::size_t k = 0; k < n; ++k) along += vector(i, k) * b[k];
        along /= value(i);
        for (std::size_t k = 0; k < n; ++k) x[k] += vector(i, k) * along;
    }
}

}  // namespace ulna::ik::detail
