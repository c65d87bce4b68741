// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace ulna {
namespace {

// Matrices of at most this many rows live in fixed memory, so that decomposing them allocates
// nothing; larger ones use the heap.
constexpr int kFixedRows = 48;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMap = Eigen::Map<RowMatrix>;
using ConstRowMap = Eigen::Map<const RowMatrix>;

// Eigenvalues below this part of the largest count as zero: skin weights have seven digits, so that
// their products tell columns apart down to about 1e-12.
constexpr double kRankCutoff = 1e-10;

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

void SymmetricEigen::compute(std::span<const double> m, std::size_t n) {
    size_ = n;
    if (n == 0) return;
    using Fixed = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kFixedRows, kFixedRows>;
    if (n <= kFixedRows)
        decompose<Fixed>(m.data(), n, values_, vectors_);
    else
        decompose<Eigen::MatrixXd>(m.data(), n, values_, vectors_);
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

std::size_t pseudoInverse(std::span<const double> matrix, std::size_t n, std::span<double> inverse,
                          std::span<double> null_projector) {
    if (n == 0) return 0;
    const auto size = static_cast<Eigen::Index>(n);
    const ConstRowMap a(matrix.data(), size, size);
    RowMap out(inverse.data(), size, size);
    RowMap null(null_projector.data(), size, size);
    const Eigen::VectorXd scale =
        a.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
    const Eigen::MatrixXd scaled = scale.asDiagonal() * a * scale.asDiagonal();
    const Eigen::LLT<Eigen::MatrixXd> llt(scaled);
    const double least =
        llt.info() == Eigen::Success ? llt.matrixLLT().diagonal().cwiseAbs().minCoeff() : 0.0;
    if (least * least > kRankCutoff) {
        const Eigen::MatrixXd middle = llt.solve(Eigen::MatrixXd::Identity(size, size));
        out = scale.asDiagonal() * middle * scale.asDiagonal();
        null.setZero();
        return n;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    const double threshold = kRankCutoff * static_cast<double>(n);
    Eigen::VectorXd inverted = eigen.eigenvalues();
    std::size_t rank = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
        const bool counts = inverted[i] > threshold;
        inverted[i] = counts ? 1.0 / inverted[i] : 0.0;
        rank += counts ? 1 : 0;
    }
    const Eigen::MatrixXd middle =
        eigen.eigenvectors() * inverted.asDiagonal() * eigen.eigenvectors().transpose();
    out = scale.asDiagonal() * middle * scale.asDiagonal();
    null = Eigen::MatrixXd::Identity(size, size) - out * a;
    return rank;
}

struct DenseCholesky::Impl {
    Eigen::LLT<RowMatrix> llt;
};

DenseCholesky::DenseCholesky() : impl_(std::make_unique<Impl>()) {}
DenseCholesky::DenseCholesky(const DenseCholesky& other)
    : impl_(std::make_unique<Impl>(*other.impl_)) {}
DenseCholesky& DenseCholesky::operator=(const DenseCholesky& other) {
    *impl_ = *other.impl_;
    return *this;
}
DenseCholesky::~DenseCholesky() = default;

bool DenseCholesky::factor(std::span<const double> matrix, std::size_t n) {
    const auto size = static_cast<Eigen::Index>(n);
    impl_->llt.compute(ConstRowMap(matrix.data(), size, size));
    return impl_->llt.info() == Eigen::Success;
}

void DenseCholesky::solve(std::span<double> x, std::size_t columns) const {
    const Eigen::Index n = impl_->llt.rows();
    for (std::size_t c = 0; c < columns; ++c) {
        Eigen::Map<Eigen::VectorXd> column(x.data() + c * static_cast<std::size_t>(n), n);
        impl_->llt.solveInPlace(column);
    }
}

}  // namespace ulna
