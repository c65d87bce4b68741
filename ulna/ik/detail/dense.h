// SPDX-License-Identifier: Apache-2.0

// Small dense linear algebra of the solvers: symmetric matrices by rows, lower triangles used.
//
// The Cholesky factorisation is here because systems of 3 to 36 rows are too small for a library's
// blocking to pay; eigenproblems go to Eigen, behind the curtain.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ulna::ik::detail {

/// L Lt = M + shift, in place; the diagonal of L is stored inverted. False when M + shift is not
/// positive definite.
inline bool factorCholesky(double* m, std::size_t n, double shift) {
    for (std::size_t j = 0; j < n; ++j) {
        double* row_j = m + j * n;
        double pivot = row_j[j] + shift;
        for (std::size_t k = 0; k < j; ++k) pivot -= row_j[k] * row_j[k];
        if (!(pivot > 0.0)) return false;
        const double inverse = 1.0 / std::sqrt(pivot);
        row_j[j] = inverse;
        for (std::size_t i = j + 1; i < n; ++i) {
            double* row_i = m + i * n;
            double sum = row_i[j];
            for (std::size_t k = 0; k < j; ++k) sum -= row_i[k] * row_j[k];
            row_i[j] = sum * inverse;
        }
    }
    return true;
}

/// Solves L Lt x = b in place, for a factor made by factorCholesky.
inline void solveCholesky(const double* m, std::size_t n, double* b) {
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (std::size_t k = 0; k < i; ++k) sum -= m[i * n + k] * b[k];
        b[i] = sum * m[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        const double x = b[i] * m[i * n + i];
        b[i] = x;
        for (std::size_t k = 0; k < i; ++k) b[k] -= m[i * n + k] * x;
    }
}

/// (M + shift) x = b in place for a size known to the compiler, M being lost: L D Lt, whose pivots
/// wait for a division each and for no root.
template <std::size_t N>
bool solveFixed(double* m, double shift, double* b) {
    double inverse[N];
    for (std::size_t j = 0; j < N; ++j) {
        // Row j holds L D so far; `row` is L.
        double row[N] = {};
        double pivot = m[j * N + j] + shift;
        for (std::size_t k = 0; k < j; ++k) {
            row[k] = m[j * N + k] * inverse[k];
            pivot -= m[j * N + k] * row[k];
        }
        if (!(pivot > 0.0)) return false;
        inverse[j] = 1.0 / pivot;
        for (std::size_t i = j + 1; i < N; ++i) {
            double sum = m[i * N + j];
            for (std::size_t k = 0; k < j; ++k) sum -= m[i * N + k] * row[k];
            m[i * N + j] = sum;
        }
        double right = b[j];
        for (std::size_t k = 0; k < j; ++k) right -= row[k] * b[k];
        b[j] = right;
    }
    for (std::size_t j = 0; j < N; ++j) b[j] *= inverse[j];
    for (std::size_t j = N; j-- > 0;) {
        double x = b[j];
        for (std::size_t i = j + 1; i < N; ++i) x -= m[i * N + j] * inverse[j] * b[i];
        b[j] = x;
    }
    return true;
}

/// (M + shift) x = b in place, M being lost; unrolled for the commonest sizes.
inline bool solveShifted(double* m, std::size_t n, double shift, double* b) {
    switch (n) {
        case 2:
            return solveFixed<2>(m, shift, b);
        case 3:
            return solveFixed<3>(m, shift, b);
        case 6:
            return solveFixed<6>(m, shift, b);
        default:
            if (!factorCholesky(m, n, shift)) return false;
            solveCholesky(m, n, b);
            return true;
    }
}

/// Eigenvalues and eigenvectors of symmetric matrices; keeps its memory between calls, and for up
/// to 48 rows needs no other.
class SymmetricEigen {
  public:
    /// Makes room for matrices of n rows.
    void reserve(std::size_t n) {
        values_.reserve(n);
        vectors_.reserve(n * n);
    }
    /// Decomposes the lower triangle of an n x n matrix.
    void compute(const double* m, std::size_t n);
    /// Ascending. @pre i < n of the last compute.
    [[nodiscard]] double value(std::size_t i) const { return values_[i]; }
    /// Component k of eigenvector i; the largest component of each is positive.
    [[nodiscard]] double vector(std::size_t i, std::size_t k) const {
        return vectors_[i * size_ + k];
    }

    /// x = pinv(M) b for the decomposed matrix; eigenvalues below cutoff times the largest count
    /// as zero.
    void applyPseudoInverse(std::span<const double> b, double cutoff, std::span<double> x) const;

  private:
    std::vector<double> values_, vectors_;
    std::size_t size_ = 0;
};

}  // namespace ulna::ik::detail
