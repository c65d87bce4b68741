// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ulna/math/random.h"

namespace ulna {
namespace {

// A positive definite matrix of a chain with branches: zero between branches.
std::vector<double> branching(std::size_t n, Random& random) {
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        matrix[i * n + i] = 4.0 + random.between(0.0, 1.0);
        for (std::size_t k = i; k > 0; k = (k - 1) / 2)  // the parents in a heap
            matrix[i * n + (k - 1) / 2] = matrix[(k - 1) / 2 * n + i] = random.between(-0.3, 0.3);
    }
    return matrix;
}

TEST(SparseCholesky, SolvesWhatItFactored) {
    Random random(1);
    for (const std::size_t n : {1U, 2U, 7U, 40U}) {
        const std::vector<double> matrix = branching(n, random);
        std::vector<double> truth(n), x(n, 0.0);
        for (double& t : truth) t = random.between(-1.0, 1.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) x[i] += matrix[i * n + k] * truth[k];
        SparseCholesky cholesky;
        ASSERT_TRUE(cholesky.factor(matrix, n));
        cholesky.solve(x);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], truth[i], 1e-12) << n;
    }
}

TEST(SparseCholesky, FindsAVectorThatIsTakenToNothing) {
    Random random(2);
    const std::size_t n = 15;
    std::vector<double> matrix = branching(n, random);
    // Coordinate 3 made twice coordinate 9, so that 3 is determined by nothing once 9 is gone.
    for (std::size_t i = 0; i < n; ++i) matrix[3 * n + i] = matrix[i * n + 3] = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 3) continue;
        matrix[3 * n + i] = matrix[i * n + 3] = 2.0 * matrix[9 * n + i];
    }
    matrix[3 * n + 3] = 4.0 * matrix[9 * n + 9] * (1.0 + 1e-13);
    SparseCholesky cholesky;
    ASSERT_TRUE(cholesky.factor(matrix, n));
    EXPECT_LT(cholesky.pivot(3), 1e-9);
    std::vector<double> null(n);
    cholesky.nullVector(3, null);
    EXPECT_NEAR(null[3], 1.0, 1e-12);
    EXPECT_NEAR(null[9], -2.0, 1e-9);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * null[k];
        EXPECT_NEAR(sum, 0.0, 1e-9);
    }
}

TEST(SparseCholesky, RefusesWhatIsNotPositiveDefinite) {
    SparseCholesky cholesky;
    EXPECT_FALSE(cholesky.factor(std::vector{1.0, 0.0, 2.0, 1.0}, 2));
    EXPECT_FALSE(cholesky.factor(std::vector{1.0, 0.0, 0.0, 0.0}, 2));
    EXPECT_FALSE(cholesky.factor(std::vector{std::nan("")}, 1));
    EXPECT_TRUE(cholesky.factor(std::vector<double>{}, 0));
}

}  // namespace
}  // namespace ulna
