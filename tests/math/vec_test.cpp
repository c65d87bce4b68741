// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/vec.h"

#include <gtest/gtest.h>

#include "ulna/math/box.h"
#include "ulna/math/mat3.h"
#include "ulna/math/planar.h"
#include "ulna/math/quat.h"
#include "ulna/math/random.h"
#include "ulna/math/scalar.h"
#include "ulna/math/transform.h"

namespace ulna {
namespace {

TEST(Vec, CrossProductsObeyTheIdentitiesOfJacobiAndLagrange) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = random.direction() * 3.0, b = random.direction() * 2.0,
                   c = random.direction();
        const Vec3 jacobi = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));
        EXPECT_LT(length(jacobi), 1e-14);
        const Vec3 ab = cross(a, b);
        EXPECT_NEAR(dot(ab, ab), dot(a, a) * dot(b, b) - square(dot(a, b)), 1e-12);
    }
}

TEST(Vec, PerpendicularsAreUnitVectorsAtRightAngles) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = random.direction(), p = anyPerpendicular(a);
        EXPECT_NEAR(dot(a, p), 0.0, 1e-15);
        EXPECT_NEAR(length(p), 1.0, 1e-15);
    }
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}})
        EXPECT_EQ(dot(axis, anyPerpendicular(axis)), 0.0);
}

TEST(Vec, AVectorWithoutADirectionTakesTheFallback) {
    const Vec3 up{0, 1, 0};
    EXPECT_EQ(normalizedOr(Vec3{}, up), up);
    EXPECT_EQ(normalizedOr(Vec3{1e-200, 0, 0}, up), up);
    EXPECT_NEAR(length(normalizedOr(Vec3{1e-100, 2e-100, 0}, up)), 1.0, 1e-15);
    const Vec3f up_float{0, 1, 0};
    EXPECT_EQ(normalizedOr(Vec3f{1e-20f, 0, 0}, up_float), up_float);
}

TEST(Vec, AReflectionIsItsOwnInverseAndKeepsThePlane) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const Vec3 n = random.direction(), v = random.direction() * 5.0;
        const Vec3 there = reflect(v, n);
        EXPECT_LT(distance(reflect(there, n), v), 1e-14);
        EXPECT_NEAR(dot(there, n), -dot(v, n), 1e-14);
        const Vec3 in_plane = v - n * dot(v, n);
        EXPECT_LT(distance(reflect(in_plane, n), in_plane), 1e-14);
    }
}

TEST(Vec, OfThePlaneRotateAsInSpaceAboutZ) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const double angle = random.between(-7.0, 7.0);
        const Vec2 v{random.between(-2, 2), random.between(-2, 2)};
        const Vec2 flat = Rot2::fromAngle(angle) * v;
        const Vec3 space = rotate(quatFromAxisAngle(Vec3{0, 0, 1}, angle), Vec3{v.x, v.y, 0});
        EXPECT_NEAR(flat.x, space.x, 1e-14);
        EXPECT_NEAR(flat.y, space.y, 1e-14);
        EXPECT_EQ(perp(v), (Vec2{-v.y, v.x}));
        EXPECT_NEAR(wrapAngle(Rot2::fromAngle(angle).angle() - angle), 0.0, 1e-14);
    }
}

TEST(Mat3, TheDeterminantIsTheVolumeOfTheColumns) {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const Vec3 x = random.direction(), y = random.direction() * 2.0, z = random.direction();
        const Mat3 m = Mat3::fromColumns(x, y, z);
        EXPECT_NEAR(determinant(m), dot(x, cross(y, z)), 1e-14);
        EXPECT_NEAR(determinant(transpose(m)), determinant(m), 1e-14);
        EXPECT_EQ(m.column(1), y);
        const Mat3 rotation = toMatrix(random.rotation());
        EXPECT_NEAR(determinant(rotation * m), determinant(m), 1e-14);
    }
}

TEST(Angles, AreWrappedAndUnwrappedByWholeRotations) {
    Random random(6);
    for (int i = 0; i < 500; ++i) {
        const double angle = random.between(-50.0, 50.0), near = random.between(-50.0, 50.0);
        EXPECT_LE(std::abs(wrapAngle(angle)), kPi);
        const double turns = (angle - wrapAngle(angle)) / kTwoPi;
        EXPECT_NEAR(turns, std::round(turns), 1e-13);
        EXPECT_LE(std::abs(unwrapAngle(angle, near) - near), kPi + 1e-14);
        EXPECT_NEAR(std::cos(unwrapAngle(angle, near)), std::cos(angle), 1e-12);
    }
    EXPECT_NEAR(radians(degrees(0.7)), 0.7, 1e-16);
    EXPECT_DOUBLE_EQ(radians(180.0), kPi);
}

TEST(Box, HoldsItsPointsAndNothingMore) {
    Random random(7);
    Box box, half;
    Vec3 low{9, 9, 9}, high{-9, -9, -9};
    for (int i = 0; i < 50; ++i) {
        const Vec3 p = random.direction() * random.between(0.0, 4.0);
        (i < 25 ? box : half).add(p);
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    }
    box.add(half);
    EXPECT_EQ(box.low, low);
    EXPECT_EQ(box.high, high);
    EXPECT_EQ(box.size(), high - low);
    EXPECT_DOUBLE_EQ(box.diagonal(), length(high - low));
    EXPECT_LT(distance(box.center(), (low + high) * 0.5), 1e-15);
}

TEST(Box, WithoutPointsHasNoSizeAndAddsNothing) {
    Box none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.size(), Vec3{});
    EXPECT_EQ(none.center(), Vec3{});
    EXPECT_EQ(none.diagonal(), 0.0);
    Box one;
    one.add(Vec3{1, 2, 3});
    one.add(none);
    EXPECT_FALSE(one.empty());
    EXPECT_EQ(one.low, one.high);
    EXPECT_EQ(one.center(), (Vec3{1, 2, 3}));
}

TEST(Transform, RotationOfAffineIsFoundUnderAnyScaleOfItsColumns) {
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        Trs t;
        t.rotation = random.rotation();
        t.translation = random.direction();
        for (std::size_t k = 0; k < 3; ++k) t.scale[k] = random.between(0.01, 20.0);
        EXPECT_LT(angleBetween(rotationOf(toAffine(t)), t.rotation), 1e-13);
        const Vec3 p = random.direction();
        EXPECT_LT(distance(toAffine(t) * p, t * p), 1e-13);
        EXPECT_LT(distance(inverse(toAffine(t)) * (toAffine(t) * p), p), 1e-11);
    }
}

// ---- random numbers

TEST(Random, IsTheSplitMix64OfThePublishedSequence) {
    // The first outputs for seed 1234567, as the authors' reference implementation prints them.
    Random random(1234567);
    EXPECT_EQ(random.bits(), 6457827717110365317ULL);
    EXPECT_EQ(random.bits(), 3203168211198807973ULL);
    EXPECT_EQ(random.bits(), 9817491932198370423ULL);
}

TEST(Random, FillsItsRangesEvenly) {
    Random random(9);
    constexpr int kSamples = 40000;
    double sum = 0.0, squares = 0.0;
    Vec3 mean;
    Mat3 moments = Mat3::fromColumns({}, {}, {});
    for (int i = 0; i < kSamples; ++i) {
        const double u = random.unit();
        ASSERT_TRUE(u >= 0.0 && u < 1.0);
        sum += u;
        squares += u * u;
        const Vec3 d = random.direction();
        ASSERT_NEAR(length(d), 1.0, 1e-15);
        mean += d;
        for (std::size_t r = 0; r < 3; ++r) moments.rows[r] += d * d[r];
    }
    // Five standard deviations of each mean.
    const double n = kSamples, bound = 5.0 / std::sqrt(n);
    EXPECT_NEAR(sum / n, 0.5, bound * std::sqrt(1.0 / 12.0));
    EXPECT_NEAR(squares / n, 1.0 / 3.0, bound * 0.3);
    for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_NEAR(mean[r] / n, 0.0, bound * std::sqrt(1.0 / 3.0));
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(moments.rows[r][c] / n, r == c ? 1.0 / 3.0 : 0.0, bound * 0.3);
    }
}

TEST(Random, RotationsAreUniformSoTheirAnglesFollowHaarsDensity) {
    // Over uniform rotations the angle has density (1 - cos a) / pi, so its mean is pi/2 + 2/pi.
    Random random(10);
    constexpr int kSamples = 40000;
    double sum = 0.0;
    for (int i = 0; i < kSamples; ++i) {
        const Quat q = random.rotation();
        ASSERT_NEAR(dot(q, q), 1.0, 1e-14);
        sum += rotationAngle(q);
    }
    EXPECT_NEAR(sum / kSamples, kPi / 2.0 + 2.0 / kPi, 5.0 * 0.65 / std::sqrt(double{kSamples}));
}

}  // namespace
}  // namespace ulna
