// SPDX-License-Identifier: Apache-2.0

// Rates of rotation vectors against central differences of the exponential and the logarithm.
#include <gtest/gtest.h>

#include <cmath>

#include "ulna/math/quat.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

constexpr double kStep = 1e-5;

// How log(exp(v) exp(t w)) changes with t at 0: w is an angular velocity in the rotating frame.
Vec3 differenceOfLog(const Vec3& v, const Vec3& w) {
    const Vec3 ahead = quatLog(quatExp(v) * quatExp(w * kStep));
    const Vec3 back = quatLog(quatExp(v) * quatExp(w * -kStep));
    return (ahead - back) / (2.0 * kStep);
}

// The angular velocity, in the rotating frame, of exp(v + t rate) at t = 0.
Vec3 differenceOfExp(const Vec3& v, const Vec3& rate) {
    const Quat ahead = conjugate(quatExp(v)) * quatExp(v + rate * kStep);
    const Quat back = conjugate(quatExp(v)) * quatExp(v - rate * kStep);
    return (quatLog(ahead) - quatLog(back)) / (2.0 * kStep);
}

TEST(LogRate, IsTheDifferenceOfTheLogarithmAtEveryAngle) {
    Random random(1);
    // Both sides of the angle 0.0316 below which a series is used, and up to where the logarithm
    // would change its branch.
    for (const double angle : {0.0, 1e-9, 1e-4, 0.0315, 0.0317, 0.5, 1.5, 2.5, 3.1}) {
        for (int sample = 0; sample < 20; ++sample) {
            const Vec3 v = random.direction() * angle;
            const Vec3 w = random.direction() * random.between(0.1, 2.0);
            EXPECT_LT(length(logRate(v, w) - differenceOfLog(v, w)), 1e-7) << angle;
        }
    }
}

TEST(LogRate, OfARotationAboutItsOwnAxisIsTheAngularVelocity) {
    Random random(2);
    for (const double angle : {0.01, 1.0, 3.0, 5.0, 6.0}) {
        const Vec3 axis = random.direction();
        EXPECT_LT(length(logRate(axis * angle, axis * 0.7) - axis * 0.7), 1e-12) << angle;
    }
}

TEST(LogRate, UndoesAngularVelocityBeyondHalfATurn) {
    Random random(3);
    for (int sample = 0; sample < 200; ++sample) {
        const Vec3 v = random.direction() * random.between(0.0, 6.0);
        const Vec3 rate = random.direction();
        EXPECT_LT(length(logRate(v, angularVelocity(v, rate)) - rate), 1e-9) << length(v);
    }
}

TEST(AngularVelocity, IsTheDifferenceOfTheExponentialAtEveryAngle) {
    Random random(4);
    for (const double angle : {0.0, 1e-9, 1e-4, 0.0099, 0.0101, 0.5, 2.0, 3.1, 5.0}) {
        for (int sample = 0; sample < 20; ++sample) {
            const Vec3 v = random.direction() * angle;
            const Vec3 rate = random.direction() * random.between(0.1, 2.0);
            EXPECT_LT(length(angularVelocity(v, rate) - differenceOfExp(v, rate)), 1e-7) << angle;
        }
    }
}

}  // namespace
}  // namespace ulna
