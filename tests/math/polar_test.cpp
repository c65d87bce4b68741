// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/polar.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ulna/math/mat3_algebra.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

double closeness(const Mat3& m, const Quat& rotation) {
    const Mat3 r = toMatrix(rotation);
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
        const std::optional<Quat> nearest = nearestRotation(m);
        ASSERT_TRUE(nearest.has_value());
        const Quat found = *nearest;
        EXPECT_NEAR(dot(found, found), 1.0, 1e-12);
        for (int other = 0; other < 200; ++other) {
            const double angle = other % 2 == 0 ? 1e-3 : random.between(0.0, kPi);
            const Quat rotation = quatFromAxisAngle(random.direction(), angle) * found;
            EXPECT_LE(closeness(m, rotation), closeness(m, found) + 1e-12) << sample;
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
        const std::optional<Quat> nearest = nearestPlanarRotation(m);
        ASSERT_TRUE(nearest.has_value());
        const Quat found = *nearest;
        for (int step = 0; step < 360; ++step) {
            const Quat rotation =
                quatFromAxisAngle(Vec3{0, 0, 1}, radians(static_cast<double>(step)));
            EXPECT_LE(closeness(m, rotation), closeness(m, found) + 1e-12) << sample;
        }
    }
}

TEST(NearestRotation, IsNoneWhereNothingTellsIt) {
    EXPECT_FALSE(nearestPlanarRotation(zeroMat3()).has_value());
    Mat3 line = zeroMat3();
    line.rows[0] = {1, 2, 3};
    EXPECT_FALSE(nearestRotation(line).has_value());
    line.rows[1].x = std::nan("");
    EXPECT_FALSE(nearestRotation(line).has_value());
}

TEST(PolarDecomposition, IsAProperRotationTimesASymmetricStretch) {
    Random random(8);
    int mirrored = 0;
    for (int sample = 0; sample < 50; ++sample) {
        Mat3 m;
        for (Vec3& row : m.rows) row = random.direction() * random.between(0.2, 2.0);
        mirrored += determinant(m) < 0.0 ? 1 : 0;
        const Polar parts = polarDecomposition(m);
        EXPECT_NEAR(determinant(parts.rotation), 1.0, 1e-12);
        const Mat3 product = parts.rotation * parts.stretch;
        const Mat3 unit = timesTransposed(parts.rotation, parts.rotation);
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                EXPECT_NEAR(product.rows[r][c], m.rows[r][c], 1e-12);
                EXPECT_NEAR(parts.stretch.rows[r][c], parts.stretch.rows[c][r], 1e-12);
                EXPECT_NEAR(unit.rows[r][c], r == c ? 1.0 : 0.0, 1e-12);
            }
        }
    }
    EXPECT_GT(mirrored, 10);
}

}  // namespace
}  // namespace ulna
