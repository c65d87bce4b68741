// SPDX-License-Identifier: Apache-2.0

// Small dense linear algebra: symmetric matrices stored by rows, of which the lower triangle is
// read.
//
// The Cholesky factorisation without blocks is written out here because systems of 3 to 36 rows are
// too small for a library's blocking to pay; what is larger, and everything that needs eigenvalues,
// goes to Eigen inside the source file. For 3x3 matrices see math/mat3.h and math/polar.h.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ulna {

/// L Lt = M + shift I for an n x n matrix, in place; the diagonal of L is stored inverted. False
/// when M + shift I is not positive definite, and then M is lost.
inline bool factorCholesky(std::span<double> matrix, std::size_t n, double shift) {
    double* const m = matrix.data();
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
inline void solveCholesky(std::span<const double> factor, std::size_t n, std::span<double> rhs) {
    const double* const m = factor.data();
    double* const b = rhs.data();
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

/// Solves (M + shift I) x = b in place for a size known to the compiler; M is lost. L D Lt, because
/// its pivots wait for one division each and for no square root.
template <std::size_t N>
bool solveFixed(std::span<double> matrix, double shift, std::span<double> rhs) {
    double* const m = matrix.data();
    double* const b = rhs.data();
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
            // That k is also below N, g++ 12 does not see by itself, and warns.
            for (std::size_t k = 0; k < j && k < N; ++k) sum -= m[i * N + k] * row[k];
            m[i * N + j] = sum;
        }
        double right = b[j];
        for (std::size_t k = 0; k < j; ++k) right -= row[k] * b[k];
        b[j] = right;
    }
    for (std::size_t j = 0; j < N; ++j) b[j] *= inverse[j];
    for (std::size_t k = 0; k < N; ++k) {
        const std::size_t j = N - 1 - k;
        double x = b[j];
        for (std::size_t i = j + 1; i < N; ++i) x -= m[i * N + j] * inverse[j] * b[i];
        b[j] = x;
    }
    return true;
}

/// Solves (M + shift I) x = b in place; M is lost. Unrolled for the most common sizes.
inline bool solveShifted(std::span<double> m, std::size_t n, double shift, std::span<double> b) {
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

/// Eigenvalues and eigenvectors of symmetric matrices. It keeps its memory between calls, and for
/// up to 48 rows allocates nothing else. compute() needs it alone; threads may read one at once.
class SymmetricEigen {
  public:
    /// Makes room for matrices of n rows.
    void reserve(std::size_t n) {
        values_.reserve(n);
        vectors_.reserve(n * n);
    }
    /// Decomposes the lower triangle of an n x n matrix.
    void compute(std::span<const double> m, std::size_t n);
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

/// A positive definite matrix that is factored once and solved many times, by blocks: for larger
/// systems than factorCholesky(). factor() needs it alone; threads may solve with one at once.
class DenseCholesky {
  public:
    DenseCholesky();
    DenseCholesky(const DenseCholesky& other);
    DenseCholesky& operator=(const DenseCholesky& other);
    ~DenseCholesky();

    /// False where the n x n matrix is not positive definite.
    [[nodiscard]] bool factor(std::span<const double> matrix, std::size_t n);
    /// Solves in place for `columns` right-hand sides, one after the other.
    void solve(std::span<double> x, std::size_t columns) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The pseudoinverse of a positive semi-definite n x n matrix, computed in units of its diagonal,
/// and the projector onto its null space. Returns the rank.
std::size_t pseudoInverse(std::span<const double> matrix, std::size_t n, std::span<double> inverse,
                          std::span<double> null_projector);

}  // namespace ulna
