// SPDX-License-Identifier: Apache-2.0

// Rotations within a cone, judged by where the bone points and how far it is twisted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ulna/math/random.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

ConeLimit someCone(Random& random) {
    ConeLimit cone{.axis = random.direction()};
    cone.swing_max = random.between(0.2, 2.5);
    cone.twist_min = -random.between(0.1, 2.0);
    cone.twist_max = random.between(0.1, 2.0);
    return cone;
}

// A rotation with a given swing about an axis across the cone's, after a given twist.
Quat swungAndTwisted(const ConeLimit& cone, double around, double swing, double twist) {
    const Vec3 across = rotate(quatFromAxisAngle(cone.axis, around), anyPerpendicular(cone.axis));
    return quatFromAxisAngle(across, swing) * quatFromAxisAngle(cone.axis, twist);
}

double swingOf(const ConeLimit& cone, const Quat& q) {
    return std::acos(std::clamp(dot(rotate(q, cone.axis), cone.axis), -1.0, 1.0));
}

TEST(ClampToCone, LeavesRotationsInsideAlone) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const ConeLimit cone = someCone(random);
        const double around = random.between(-kPi, kPi);
        const double swing = random.between(0.0, cone.swing_max);
        const double twist = random.between(cone.twist_min, cone.twist_max);
        const Quat q = swungAndTwisted(cone, around, swing, twist);
        EXPECT_LT(angleBetween(clampToCone(cone, q), q), 1e-7) << "sample " << i;
    }
}

TEST(ClampToCone, BringsTheBoneToTheEdgeInTheDirectionItPoints) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const ConeLimit cone = someCone(random);
        const double around = random.between(-kPi, kPi);
        const double twist = random.between(cone.twist_min, cone.twist_max);
        const double swing = random.between(cone.swing_max, 3.0);
        const Quat clamped = clampToCone(cone, swungAndTwisted(cone, around, swing, twist));
        const Quat edge = swungAndTwisted(cone, around, cone.swing_max, twist);
        EXPECT_NEAR(swingOf(cone, clamped), cone.swing_max, 1e-7) << "sample " << i;
        EXPECT_LT(angleBetween(clamped, edge), 1e-7) << "sample " << i;
    }
}

TEST(ClampToCone, BringsTheTwistToItsNearerLimitAndKeepsTheSwing) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const ConeLimit cone = someCone(random);
        const double around = random.between(-kPi, kPi);
        const double swing = random.between(0.0, cone.swing_max);
        // Beyond one limit by less than to the other.
        const double over = random.between(0.0, 0.4);
        const bool high = i % 2 == 0;
        const double twist = high ? cone.twist_max + over : cone.twist_min - over;
        const Quat clamped = clampToCone(cone, swungAndTwisted(cone, around, swing, twist));
        const Quat limit =
            swungAndTwisted(cone, around, swing, high ? cone.twist_max : cone.twist_min);
        EXPECT_LT(angleBetween(clamped, limit), 1e-7) << "sample " << i;
    }
}

TEST(ClampToCone, WithoutAnOpeningAllowsOnlyTwists) {
    Random random(4);
    ConeLimit cone{.axis = {0, 1, 0}};
    cone.swing_max = 0.0;
    for (int i = 0; i < 50; ++i) {
        const Quat clamped = clampToCone(cone, random.rotation());
        EXPECT_LT(distance(rotate(clamped, cone.axis), cone.axis), 1e-7) << "sample " << i;
    }
}

}  // namespace
}  // namespace ulna
