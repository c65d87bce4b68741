// SPDX-License-Identifier: Apache-2.0

#include "ulna/solve/bounded_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/math/random.h"

namespace ulna {
namespace {

struct Quadratic {
    std::size_t n = 0;
    std::vector<double> matrix, descent;
};

// x' A x / 2 - b' x with a well-conditioned A.
Quadratic randomQuadratic(std::size_t n, Random& random) {
    std::vector<double> root(n * n);
    for (double& r : root) r = random.between(-1.0, 1.0);
    Quadratic out{n, std::vector<double>(n * n, 0.0), std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t m = 0; m < n; ++m)
                out.matrix[i * n + k] += root[i * n + m] * root[k * n + m];
        out.matrix[i * n + i] += 2.0;
        out.descent[i] = random.between(-3.0, 3.0);
    }
    return out;
}

double value(const Quadratic& q, std::span<const double> x) {
    double sum = 0.0;
    for (std::size_t i = 0; i < q.n; ++i) {
        for (std::size_t k = 0; k < q.n; ++k)
            sum += 0.5 * x[i] * q.matrix[std::max(i, k) * q.n + std::min(i, k)] * x[k];
        sum -= q.descent[i] * x[i];
    }
    return sum;
}

TEST(BoundedStep, WithoutLimitsSolvesTheSystem) {
    Random random(1);
    const Quadratic q = randomQuadratic(8, random);
    BoundedStep bounded(q.n);
    ASSERT_TRUE(bounded.compute(q.matrix, q.descent, 0.0));
    for (std::size_t i = 0; i < q.n; ++i) {
        double left = q.descent[i];
        for (std::size_t k = 0; k < q.n; ++k) left -= q.matrix[i * q.n + k] * bounded.step()[k];
        EXPECT_NEAR(left, 0.0, 1e-12) << i;
    }
}

TEST(BoundedStep, StaysWithinLimitsAndIsStationaryInTheOthers) {
    Random random(2);
    for (int sample = 0; sample < 50; ++sample) {
        const Quadratic q = randomQuadratic(8, random);
        BoundedStep bounded(q.n);
        std::vector<double> down(q.n), up(q.n);
        for (std::size_t i = 0; i < q.n; ++i) {
            bounded.down()[i] = down[i] = -random.between(0.0, 0.6);
            bounded.up()[i] = up[i] = random.between(0.0, 0.6);
        }
        ASSERT_TRUE(bounded.compute(q.matrix, q.descent, 0.0));
        const std::span<const double> step = bounded.step();
        for (std::size_t i = 0; i < q.n; ++i) {
            EXPECT_GE(step[i], down[i]) << sample;
            EXPECT_LE(step[i], up[i]) << sample;
        }
        EXPECT_LT(value(q, step), 0.0) << sample;
    }
}

TEST(BoundedStep, HoldsACoordinateThatIsPushedAgainstItsLimitAndSolvesTheOther) {
    const std::vector<double> matrix{2.0, 0.0, 1.0, 2.0};
    const std::vector<double> descent{1.0, 1.0};
    BoundedStep bounded(2);
    bounded.up()[0] = 0.0;
    EXPECT_TRUE(bounded.isPushed(0, descent[0]));
    EXPECT_FALSE(bounded.isPushed(0, -1.0));
    EXPECT_FALSE(bounded.isPushed(1, descent[1]));
    EXPECT_DOUBLE_EQ(bounded.gradientInside(descent), 1.0);
    ASSERT_TRUE(bounded.compute(matrix, descent, 0.0));
    EXPECT_DOUBLE_EQ(bounded.step()[0], 0.0);
    EXPECT_DOUBLE_EQ(bounded.step()[1], 0.5);
    EXPECT_TRUE(bounded.isHeld(0));
    EXPECT_FALSE(bounded.isHeld(1));
    EXPECT_FALSE(bounded.isStopped());
}

TEST(BoundedStep, StopsACoordinateAtItsLimitAndSolvesAgainForTheOther) {
    // The free answer is (1/3, 1/3); with the first stopped at 0.1 the second is (1 - 0.1) / 2.
    const std::vector<double> matrix{2.0, 0.0, 1.0, 2.0};
    const std::vector<double> descent{1.0, 1.0};
    BoundedStep bounded(2);
    bounded.up()[0] = 0.1;
    ASSERT_TRUE(bounded.compute(matrix, descent, 0.0));
    EXPECT_DOUBLE_EQ(bounded.step()[0], 0.1);
    EXPECT_DOUBLE_EQ(bounded.step()[1], 0.45);
    EXPECT_TRUE(bounded.isStopped());
}

TEST(BoundedStep, DampingShortensAndAnIndefiniteMatrixIsRefused) {
    BoundedStep bounded(1);
    const std::vector<double> one{1.0}, minus{-1.0};
    ASSERT_TRUE(bounded.compute(one, one, 1.0));
    EXPECT_DOUBLE_EQ(bounded.step()[0], 0.5);
    EXPECT_FALSE(bounded.compute(minus, one, 0.5));
}

}  // namespace
}  // namespace ulna
