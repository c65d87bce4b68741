// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/quat.h"

#include <gtest/gtest.h>

#include "ulna/math/dual.h"
#include "ulna/math/planar.h"
#include "ulna/math/random.h"
#include "ulna/math/transform.h"

namespace ulna {
namespace {

// Rodrigues' formula: another way to turn a vector.
Vec3 turned(const Vec3& axis, double angle, const Vec3& v) {
    return v * std::cos(angle) + cross(axis, v) * std::sin(angle) +
           axis * (dot(axis, v) * (1.0 - std::cos(angle)));
}

TEST(Quat, TurnsVectorsAsRodriguesFormulaDoes) {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 axis = random.direction();
        const double angle = random.between(-7.0, 7.0);
        const Vec3 v = random.direction() * random.between(0.0, 10.0);
        const Quat q = quatFromAxisAngle(axis, angle);
        EXPECT_LT(distance(rotate(q, v), turned(axis, angle, v)), 1e-13);
        EXPECT_LT(distance(toMatrix(q) * v, turned(axis, angle, v)), 1e-13);
    }
}

TEST(Quat, ProductTurnsByTheRightFactorFirst) {
    Random random(2);
    for (int i = 0; i < 1000; ++i) {
        const Quat a = random.rotation();
        const Quat b = random.rotation();
        const Vec3 v = random.direction();
        EXPECT_LT(distance(rotate(a * b, v), rotate(a, rotate(b, v))), 1e-14);
        EXPECT_LT(distance((toMatrix(a) * toMatrix(b)) * v, rotate(a * b, v)), 1e-14);
    }
}

TEST(Quat, ExpAndLogAreInverseUpToHalfATurn) {
    Random random(3);
    for (const double angle :
         {0.0, 1e-300, 1e-12, 1e-8, 9.9e-4, 1.01e-3, 0.1, 1.0, 3.0, kPi - 1e-9}) {
        for (int i = 0; i < 100; ++i) {
            const Vec3 v = random.direction() * angle;
            EXPECT_LT(distance(quatLog(quatExp(v)), v), 1e-14 + 1e-14 * angle) << angle;
            EXPECT_LT(distance(quatLog(-quatExp(v)), v), 1e-14 + 1e-14 * angle) << angle;
            const Quat q = quatExp(v);
            EXPECT_NEAR(dot(q, q), 1.0, 1e-15);
        }
    }
}

TEST(Quat, LogOfHalfATurnHasLengthPi) {
    Random random(4);
    for (int i = 0; i < 100; ++i) {
        const Quat q = quatFromAxisAngle(random.direction(), kPi);
        EXPECT_NEAR(length(quatLog(q)), kPi, 1e-14);
        EXPECT_LT(angleBetween(quatExp(quatLog(q)), q), 1e-14);
    }
}

TEST(Quat, MatrixAndBackIsTheSameRotationEverywhere) {
    Random random(5);
    for (int i = 0; i < 1000; ++i) {
        const Quat q = random.rotation();
        EXPECT_LT(angleBetween(quatFromMatrix(toMatrix(q)), q), 1e-14);
    }
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Quat q = quatFromAxisAngle(axis, kPi);
        EXPECT_LT(angleBetween(quatFromMatrix(toMatrix(q)), q), 1e-14);
    }
}

TEST(Quat, BetweenTakesOneDirectionToAnotherAlsoWhenOpposite) {
    Random random(6);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 a = random.direction();
        const Vec3 b = random.direction();
        EXPECT_LT(distance(rotate(quatBetween(a, b), a), b), 1e-13);
        EXPECT_LT(distance(rotate(quatBetween(a, -a), a), -a), 1e-13);
        EXPECT_LT(rotationAngle(quatBetween(a, a)), 1e-7);
    }
}

TEST(Quat, SlerpMovesAtConstantSpeedOnTheShorterArc) {
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        const Quat a = random.rotation();
        const Quat b = random.rotation();
        const double whole = angleBetween(a, b);
        EXPECT_EQ(slerp(a, b, 0.0), a);
        EXPECT_EQ(slerp(a, b, 1.0), b);
        for (const double t : {0.1, 0.25, 0.5, 0.9}) {
            EXPECT_NEAR(angleBetween(a, slerp(a, b, t)), t * whole, 1e-13);
            EXPECT_LT(angleBetween(slerp(a, b, t), slerp(a, -b, t)), 1e-13);
        }
    }
    const Quat a = random.rotation();
    const Quat b = quatFromAxisAngle(Vec3{0, 1, 0}, 1e-9) * a;
    EXPECT_NEAR(angleBetween(a, slerp(a, b, 0.5)), 5e-10, 1e-15);
    EXPECT_LT(angleBetween(a, slerp(a, a, 0.3)), 1e-15);
}

TEST(Quat, SwingTwistIsAProductOfAPureSwingAndAPureTwist) {
    Random random(8);
    for (int i = 0; i < 1000; ++i) {
        const Quat q = random.rotation();
        const Vec3 axis = random.direction();
        const SwingTwist s = splitSwingTwist(q, axis);
        EXPECT_LT(angleBetween(s.swing * s.twist, q), 1e-14);
        EXPECT_NEAR(dot(s.swing.vector(), axis), 0.0, 1e-14);
        EXPECT_LT(length(cross(s.twist.vector(), axis)), 1e-14);
        EXPECT_LT(angleBetween(quatFromAxisAngle(axis, s.twist_angle), s.twist), 1e-14);
    }
}

TEST(Quat, SwingOfHalfATurnHasNoTwist) {
    const Vec3 axis{0, 1, 0};
    const SwingTwist s = splitSwingTwist(Quat{1, 0, 0, 0}, axis);
    EXPECT_EQ(s.twist_angle, 0.0);
    EXPECT_LT(angleBetween(s.swing, Quat{1, 0, 0, 0}), 1e-15);
}

TEST(Quat, ZeroQuaternionNormalisesToTheIdentity) {
    EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
}

TEST(Transform, RigidProductAndInverseActAsMapsOfPoints) {
    Random random(9);
    for (int i = 0; i < 500; ++i) {
        const Rigid a{random.direction() * 3.0, random.rotation()};
        const Rigid b{random.direction() * 3.0, random.rotation()};
        const Vec3 p = random.direction() * 2.0;
        EXPECT_LT(distance((a * b) * p, a * (b * p)), 1e-13);
        EXPECT_LT(distance(inverse(a) * (a * p), p), 1e-13);
        EXPECT_LT(distance(toAffine(a) * p, a * p), 1e-13);
    }
}

TEST(Transform, AffineKeepsScaleAndInverts) {
    Random random(10);
    for (int i = 0; i < 500; ++i) {
        const Trs a{random.direction(), {0.5, 2.0, 3.0}, random.rotation()};
        const Trs b{random.direction(), {1.5, 0.2, 1.0}, random.rotation()};
        const Vec3 p = random.direction();
        EXPECT_LT(distance(toAffine(a) * p, a * p), 1e-14);
        EXPECT_LT(distance((toAffine(a) * toAffine(b)) * p, a * (b * p)), 1e-13);
        EXPECT_LT(distance(inverse(toAffine(a)) * (a * p), p), 1e-13);
        EXPECT_LT(angleBetween(rotationOf(toAffine(a)), a.rotation), 1e-14);
    }
}

TEST(Transform, SingularAffineHasAZeroInverseAndStillARotation) {
    const Affine flat = toAffine(Trs{{1, 2, 3}, {1, 0, 1}, {}});
    EXPECT_EQ((inverse(flat) * Vec3{5, 6, 7}), (Vec3{0, 0, 0}));
    EXPECT_LT(rotationAngle(rotationOf(flat)), 1e-15);
    const Quat nothing = rotationOf(toAffine(Trs{{}, {0, 0, 0}, {}}));
    EXPECT_NEAR(dot(nothing, nothing), 1.0, 1e-15);
}

TEST(Planar, RotationsAreComplexNumbers) {
    Random random(12);
    for (int i = 0; i < 500; ++i) {
        const double angle = random.between(-10.0, 10.0);
        const Vec2 v{random.unit(), random.unit()};
        const Vec3 turned3 = rotate(quatFromAxisAngle(Vec3{0, 0, 1}, angle), Vec3{v.x, v.y, 0});
        const Vec2 turned2 = Rot2::fromAngle(angle) * v;
        EXPECT_LT(length(turned2 - Vec2{turned3.x, turned3.y}), 1e-14);
        EXPECT_EQ(turned3.z, 0.0);
        EXPECT_NEAR(wrapAngle(Rot2::fromAngle(angle).angle() - angle), 0.0, 1e-14);
        const Rigid2 a{{1, 2}, Rot2::fromAngle(angle)};
        EXPECT_LT(length(inverse(a) * (a * v) - v), 1e-14);
    }
}

TEST(Dual, DerivativesMatchTheRulesOfCalculus) {
    const Dual x{0.7, 1.0};
    EXPECT_NEAR((sin(x) * cos(x)).derivative, std::cos(1.4), 1e-15);
    EXPECT_NEAR((x / (x + 1.0)).derivative, 1.0 / (1.7 * 1.7), 1e-15);
    EXPECT_NEAR(sqrt(x).derivative, 0.5 / std::sqrt(0.7), 1e-15);
    EXPECT_NEAR(atan2(x, Dual(2.0)).derivative, 2.0 / (4.0 + 0.49), 1e-15);
    EXPECT_EQ(sqrt(Dual{0.0, 1.0}).derivative, 0.0);
    EXPECT_EQ(atan2(Dual{0.0, 1.0}, Dual{0.0}).derivative, 0.0);
}

}  // namespace
}  // namespace ulna
