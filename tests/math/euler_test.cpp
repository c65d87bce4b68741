// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/euler.h"

#include <gtest/gtest.h>

#include "ulna/math/random.h"

namespace ulna {

// So that test names end in the order's name.
void PrintTo(EulerOrder order, std::ostream* out) {
    *out << eulerOrderName(order);
}

namespace {

// The elementary rotation matrices, written out: the oracle for every order.
Mat3 elementary(char axis, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    Mat3 m;
    if (axis == 'x') m.rows[1] = {0, c, -s}, m.rows[2] = {0, s, c};
    if (axis == 'y') m.rows[0] = {c, 0, s}, m.rows[2] = {-s, 0, c};
    if (axis == 'z') m.rows[0] = {c, -s, 0}, m.rows[1] = {s, c, 0};
    return m;
}

double largestDifference(const Mat3& a, const Mat3& b) {
    double out = 0.0;
    for (std::size_t i = 0; i < 3; ++i) out = std::max(out, length(a.rows[i] - b.rows[i]));
    return out;
}

Vec3 randomAngles(Random& random, double range) {
    const double x = random.between(-range, range);
    const double y = random.between(-range, range);
    const double z = random.between(-range, range);
    return {x, y, z};
}

class EveryOrder : public testing::TestWithParam<EulerOrder> {};

TEST_P(EveryOrder, IsTheProductOfElementaryMatricesAsListed) {
    Random random(1);
    const std::string_view name = eulerOrderName(GetParam());
    for (int i = 0; i < 500; ++i) {
        const Vec3 a = randomAngles(random, 7.0);
        const Mat3 product =
            elementary(name[0], a.x) * elementary(name[1], a.y) * elementary(name[2], a.z);
        EXPECT_LT(largestDifference(toMatrix(quatFromEuler(GetParam(), a)), product), 1e-14);
    }
}

TEST_P(EveryOrder, AnglesOfARotationGiveItBack) {
    Random random(2);
    const bool proper = eulerOrderName(GetParam())[0] == eulerOrderName(GetParam())[2];
    for (int i = 0; i < 1000; ++i) {
        const Quat q = random.rotation();
        const Vec3 a = eulerFromQuat(GetParam(), q);
        EXPECT_LT(angleBetween(quatFromEuler(GetParam(), a), q), 1e-14);
        EXPECT_LE(std::abs(a.x), kPi);
        EXPECT_LE(std::abs(a.z), kPi);
        EXPECT_GE(a.y, proper ? 0.0 : -kPi / 2);
        EXPECT_LE(a.y, proper ? kPi : kPi / 2);
    }
}

TEST_P(EveryOrder, GimbalLockGivesTheRotationBackWithTheLastAngleZero) {
    Random random(3);
    const bool proper = eulerOrderName(GetParam())[0] == eulerOrderName(GetParam())[2];
    const double locks[2] = {proper ? 0.0 : kPi / 2, proper ? kPi : -kPi / 2};
    for (const double lock : locks) {
        for (const double off : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
            for (int i = 0; i < 100; ++i) {
                Vec3 a = randomAngles(random, kPi);
                a.y = lock + off;
                const Quat q = quatFromEuler(GetParam(), a);
                const Vec3 back = eulerFromQuat(GetParam(), q);
                EXPECT_LT(angleBetween(quatFromEuler(GetParam(), back), q), 1e-12) << off;
                if (off == 0.0) {
                    EXPECT_EQ(back.z, 0.0);
                }
                const Vec3 near = randomAngles(random, 10.0);
                const Vec3 nearest = eulerFromQuat(GetParam(), q, near);
                EXPECT_LT(angleBetween(quatFromEuler(GetParam(), nearest), q), 1e-12) << off;
            }
        }
    }
}

TEST_P(EveryOrder, NearestAnglesFindTheTripleTheyCameFrom) {
    Random random(4);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 a = randomAngles(random, 20.0);  // several turns away
        const Vec3 near = a + randomAngles(random, 0.05);
        const Vec3 found = eulerFromQuat(GetParam(), quatFromEuler(GetParam(), a), near);
        // Two branches can be closer to each other than the perturbation next to gimbal lock; what
        // must hold is that no answer is nearer than the one returned.
        EXPECT_LE(distance(found, near), distance(a, near) + 1e-9);
        EXPECT_LT(angleBetween(quatFromEuler(GetParam(), found), quatFromEuler(GetParam(), a)),
                  1e-13);
    }
}

TEST_P(EveryOrder, FollowsASmoothPathThroughGimbalLockWithoutAJump) {
    // Both outer angles still, the middle one passing every lock twice: the nearest branch follows
    // it.
    Vec3 previous{0.3, -4.0, -0.5};
    for (int i = 0; i <= 8000; ++i) {
        const Vec3 a{0.3, -4.0 + i * 1e-3, -0.5};
        const Vec3 found = eulerFromQuat(GetParam(), quatFromEuler(GetParam(), a), previous);
        ASSERT_LT(distance(found, a), 1e-6) << "at middle angle " << a.y;
        previous = found;
    }
}

INSTANTIATE_TEST_SUITE_P(Euler, EveryOrder, testing::ValuesIn(kAllEulerOrders),
                         [](const auto& param) {
                             return std::string(eulerOrderName(param.param));
                         });

TEST(EulerOrderName, GoesBothWaysInAnyCase) {
    for (const EulerOrder order : kAllEulerOrders) {
        EXPECT_EQ(eulerOrderFromName(eulerOrderName(order)), order);
        EXPECT_EQ(eulerOrderFromAxes(eulerAxes(order)), order);
    }
    EXPECT_EQ(eulerOrderFromName("ZXY"), EulerOrder::Zxy);
    EXPECT_FALSE(eulerOrderFromName("xxy"));
    EXPECT_FALSE(eulerOrderFromName(""));
    EXPECT_FALSE(eulerOrderFromName("xyzx"));
    EXPECT_FALSE(eulerOrderFromAxes({0, 0, 1}));
}

}  // namespace
}  // namespace ulna
