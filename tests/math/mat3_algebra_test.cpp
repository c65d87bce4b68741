// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/mat3_algebra.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ulna/math/random.h"

namespace ulna {
namespace {

Vec3 someVector(Random& random) {
    return random.direction() * random.between(0.2, 2.0);
}

Mat3 someMatrix(Random& random) {
    Mat3 m;
    for (Vec3& row : m.rows) row = someVector(random);
    return m;
}

double largestDifference(const Mat3& a, const Mat3& b) {
    double largest = 0.0;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            largest = std::max(largest, std::abs(a.rows[r][c] - b.rows[r][c]));
    return largest;
}

TEST(Mat3, ProductsWithTransposesAreThoseOfTheTransposedMatrix) {
    Random random(1);
    const Mat3 a = someMatrix(random);
    const Mat3 b = someMatrix(random);
    const Vec3 v = someVector(random);
    EXPECT_LT(largestDifference(timesTransposed(a, b), a * transpose(b)), 1e-14);
    EXPECT_LT(distance(transposedTimes(a, v), transpose(a) * v), 1e-14);
    EXPECT_NEAR(dot(a, b), trace(a * transpose(b)), 1e-14);
}

TEST(Mat3, SumsAndMultiplesAreByEntry) {
    Random random(2);
    const Mat3 a = someMatrix(random);
    Mat3 sum = zeroMat3();
    sum += a;
    sum += a;
    EXPECT_LT(largestDifference(sum, a * 2.0), 1e-15);
    sum -= a * 2.0;
    EXPECT_LT(largestDifference(sum, zeroMat3()), 1e-15);
}

TEST(Mat3, OuterProductsActAsAColumnTimesARow) {
    Random random(3);
    const Vec3 a = someVector(random);
    const Vec3 b = someVector(random);
    const Vec3 v = someVector(random);
    EXPECT_LT(distance(outer(a, b) * v, a * dot(b, v)), 1e-14);
    Mat3 sum = zeroMat3();
    addOuter(a, b, sum);
    EXPECT_LT(largestDifference(sum, outer(a, b)), 1e-15);
    EXPECT_LT(distance(axial(outer(a, b)), cross(b, a)), 1e-14);
}

TEST(Mat3, ItsCrossMatrixAndInertiaAreThoseOfCrossProducts) {
    Random random(4);
    const Vec3 a = someVector(random);
    const Vec3 b = someVector(random);
    const Vec3 v = someVector(random);
    EXPECT_LT(distance(crossMatrix(a) * v, cross(a, v)), 1e-14);
    EXPECT_LT(largestDifference(inertia(outer(a, b)), transpose(crossMatrix(a)) * crossMatrix(b)),
              1e-14);
    // What a point's kinetic energy is: v inertia v = |v x a|^2.
    const Vec3 speed = cross(v, a);
    EXPECT_NEAR(dot(v, inertia(outer(a, a)) * v), dot(speed, speed), 1e-14);
}

}  // namespace
}  // namespace ulna
