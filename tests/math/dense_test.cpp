// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ulna/math/random.h"

namespace ulna {
namespace {

using Matrix = std::vector<double>;  // by rows

Matrix product(const Matrix& a, const Matrix& b, std::size_t n) {
    Matrix out(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
    return out;
}

void expectNear(const Matrix& a, const Matrix& b, double tolerance, const char* what) {
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what;
}

// A sum of squares of so many vectors, rounded as weights in float leave it.
Matrix ofRank(std::size_t rank, std::size_t n, double rounding, Random& random) {
    Matrix out(n * n, 0.0);
    for (std::size_t r = 0; r < rank; ++r) {
        std::vector<double> v;
        for (std::size_t i = 0; i < n; ++i) v.push_back(random.between(-1, 1));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) out[i * n + k] += v[i] * v[k];
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k <= i; ++k) {
            out[i * n + k] += rounding * random.between(-1, 1);
            out[k * n + i] = out[i * n + k];
        }
    }
    return out;
}

Matrix definite(std::size_t n, Random& random) {
    Matrix out = ofRank(2 * n, n, 0.0, random);
    for (std::size_t i = 0; i < n; ++i) out[i * n + i] += 0.1;
    return out;
}

std::vector<double> times(const Matrix& a, const std::vector<double>& x, std::size_t n) {
    std::vector<double> out(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) out[i] += a[i * n + k] * x[k];
    return out;
}

std::vector<double> someVector(std::size_t n, Random& random) {
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(random.between(-1, 1));
    return out;
}

TEST(Cholesky, SolvesSystemsOfEverySizeToRounding) {
    Random random(5);
    for (const std::size_t n : {1U, 2U, 3U, 4U, 6U, 7U, 20U, 40U}) {
        Matrix a = definite(n, random);
        const std::vector<double> x = someVector(n, random);
        const std::vector<double> b = times(a, x, n);
        std::vector<double> factored = b;
        Matrix factor = a;
        ASSERT_TRUE(factorCholesky(factor, n, 0.0));
        solveCholesky(factor, n, factored);
        expectNear(factored, x, 1e-9, "factored once");
        DenseCholesky blocked;
        ASSERT_TRUE(blocked.factor(a, n));
        std::vector<double> two = b;
        two.insert(two.end(), b.begin(), b.end());
        blocked.solve(two, 2);
        expectNear(std::vector<double>(two.begin(), two.begin() + static_cast<int>(n)), x, 1e-9,
                   "by blocks");
        expectNear(std::vector<double>(two.begin() + static_cast<int>(n), two.end()), x, 1e-9,
                   "by blocks, again");
        // The shift is added to the diagonal.
        for (std::size_t i = 0; i < n; ++i) a[i * n + i] -= 0.05;
        std::vector<double> shifted = b;
        ASSERT_TRUE(solveShifted(a, n, 0.05, shifted));
        expectNear(shifted, x, 1e-9, "shifted");
    }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
    for (const std::size_t n : {2U, 3U, 5U, 6U}) {
        Matrix a(n * n, 0.0);
        for (std::size_t i = 0; i < n; ++i) a[i * n + i] = i + 1 < n ? 1.0 : -0.5;
        std::vector<double> b(n, 1.0);
        Matrix copy = a;
        EXPECT_FALSE(factorCholesky(copy, n, 0.0));
        copy = a;
        EXPECT_FALSE(solveShifted(copy, n, 0.0, b));
        DenseCholesky blocked;
        EXPECT_FALSE(blocked.factor(a, n));
        copy = a;
        EXPECT_TRUE(factorCholesky(copy, n, 0.6));
        a[0] = std::nan("");
        EXPECT_FALSE(factorCholesky(a, n, 0.6));
    }
}

TEST(SymmetricEigen, FindsValuesAndVectorsInAscendingOrder) {
    Random random(6);
    for (const std::size_t n : {1U, 4U, 12U, 50U}) {  // 50 is past the fixed memory
        const Matrix a = ofRank(n, n, 0.0, random);
        SymmetricEigen eigen;
        eigen.compute(a, n);
        for (std::size_t i = 0; i < n; ++i) {
            if (i > 0) {
                EXPECT_LE(eigen.value(i - 1), eigen.value(i));
            }
            std::vector<double> v;
            for (std::size_t k = 0; k < n; ++k) v.push_back(eigen.vector(i, k));
            std::vector<double> scaled = v;
            double square = 0.0;
            for (double& x : scaled) {
                square += x * x;
                x *= eigen.value(i);
            }
            EXPECT_NEAR(square, 1.0, 1e-12);
            expectNear(times(a, v, n), scaled, 1e-10, "a v = value v");
        }
    }
}

TEST(SymmetricEigen, ItsPseudoInverseLeavesTheNullSpaceAlone) {
    Random random(7);
    constexpr std::size_t kSize = 6;
    const Matrix a = ofRank(4, kSize, 0.0, random);
    SymmetricEigen eigen;
    eigen.compute(a, kSize);
    const std::vector<double> b = times(a, someVector(kSize, random), kSize);
    std::vector<double> x(kSize);
    eigen.applyPseudoInverse(b, 1e-10, x);
    expectNear(times(a, x, kSize), b, 1e-9, "a x = b");
    for (const std::size_t i : {0U, 1U}) {  // the two null directions
        double along = 0.0;
        for (std::size_t k = 0; k < kSize; ++k) along += eigen.vector(i, k) * x[k];
        EXPECT_NEAR(along, 0.0, 1e-9);
    }
}

TEST(PseudoInverse, InvertsWhatIsThereAndProjectsOntoWhatIsNot) {
    Random random(1);
    constexpr std::size_t kSize = 8;
    for (const std::size_t rank : {1U, 3U, 7U, 8U}) {
        const Matrix a = ofRank(rank, kSize, 0.0, random);
        Matrix inverse(kSize * kSize), null(kSize * kSize);
        EXPECT_EQ(pseudoInverse(a, kSize, inverse, null), rank);
        const Matrix there = product(inverse, a, kSize);
        expectNear(product(a, there, kSize), a, 1e-9, "a x a = a");
        expectNear(product(a, null, kSize), Matrix(kSize * kSize, 0.0), 1e-9, "a n = 0");
        expectNear(product(null, null, kSize), null, 1e-9, "n n = n");
        double trace = 0.0;
        for (std::size_t i = 0; i < kSize; ++i) trace += null[i * kSize + i];
        EXPECT_NEAR(trace, static_cast<double>(kSize - rank), 1e-9);
    }
}

TEST(PseudoInverse, TakesRoundingForNothing) {
    Random random(2);
    constexpr std::size_t kSize = 8;
    Matrix a = ofRank(5, kSize, 1e-14, random);
    for (std::size_t i = 0; i < kSize; ++i)
        a[6 * kSize + i] = a[i * kSize + 6] = 0.0;  // not at all
    Matrix inverse(kSize * kSize), null(kSize * kSize);
    EXPECT_EQ(pseudoInverse(a, kSize, inverse, null), 5U);
    for (const double x : inverse) EXPECT_LT(std::abs(x), 1e6);
    EXPECT_NEAR(null[6 * kSize + 6], 1.0, 1e-12);
}

}  // namespace
}  // namespace ulna
