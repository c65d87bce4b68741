// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/detail/dense.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ulna/math/random.h"

namespace ulna::fit::detail {
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

double closeness(const Mat3& m, const Quat& turn) {
    const Mat3 r = toMatrix(turn);
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) sum += dot(m.rows[i], r.rows[i]);
    return sum;
}

TEST(NearestRotation, IsNearerThanAnyOther) {
    Random random(3);
    int mirrored = 0;
    for (int sample = 0; sample < 50; ++sample) {
        Mat3 m;
        for (Vec3& row : m.rows) row = random.direction() * random.between(0.2, 2.0);
        mirrored += dot(m.rows[0], cross(m.rows[1], m.rows[2])) < 0.0 ? 1 : 0;
        Quat found;
        ASSERT_TRUE(nearestRotation(m, false, found));
        EXPECT_NEAR(dot(found, found), 1.0, 1e-12);
        for (int other = 0; other < 200; ++other) {
            const double angle = other % 2 == 0 ? 1e-3 : random.between(0.0, kPi);
            const Quat turn = quatFromAxisAngle(random.direction(), angle) * found;
            EXPECT_LE(closeness(m, turn), closeness(m, found) + 1e-12) << sample;
        }
    }
    EXPECT_GT(mirrored, 10);
}

TEST(NearestRotation, InThePlaneIsNearerThanAnyOther) {
    Random random(4);
    for (int sample = 0; sample < 50; ++sample) {
        Mat3 m;
        m.rows[0] = {random.between(-1, 1), 0, 0};
        m.rows[0].y = random.between(-1, 1);
        m.rows[1] = {random.between(-1, 1), 0, 0};
        m.rows[1].y = random.between(-1, 1);
        Quat found;
        ASSERT_TRUE(nearestRotation(m, true, found));
        for (int step = 0; step < 360; ++step) {
            const Quat turn = quatFromAxisAngle(Vec3{0, 0, 1}, radians(static_cast<double>(step)));
            EXPECT_LE(closeness(m, turn), closeness(m, found) + 1e-12) << sample;
        }
    }
}

TEST(NearestRotation, IsNoneWhereNothingTellsIt) {
    Quat found;
    EXPECT_FALSE(nearestRotation(Mat3{{{}, {}, {}}}, true, found));
    Mat3 line{{{}, {}, {}}};
    line.rows[0] = {1, 2, 3};
    EXPECT_FALSE(nearestRotation(line, false, found));
    line.rows[1].x = std::nan("");
    EXPECT_FALSE(nearestRotation(line, false, found));
}

}  // namespace
}  // namespace ulna::fit::detail
