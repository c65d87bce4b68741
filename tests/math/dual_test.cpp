// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/dual.h"

#include <gtest/gtest.h>

#include "ulna/math/planar.h"
#include "ulna/math/quat.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

// The derivative of `f` at `x` by dual numbers and by central differences.
template <class F>
void expectSameDerivative(const F& f, double x) {
    constexpr double kStep = 1e-6;
    const double expected = (f(Dual(x + kStep)).value - f(Dual(x - kStep)).value) / (2.0 * kStep);
    EXPECT_NEAR(f(Dual(x, 1.0)).derivative, expected, 1e-8 * (1.0 + std::abs(expected))) << x;
}

TEST(Dual, EveryFunctionAgreesWithDifferences) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const double x = random.between(0.1, 3.0), c = random.between(-2.0, 2.0);
        expectSameDerivative([](const Dual& a) { return sin(a); }, x);
        expectSameDerivative([](const Dual& a) { return cos(a); }, x);
        expectSameDerivative([](const Dual& a) { return sqrt(a); }, x);
        expectSameDerivative([&](const Dual& a) { return atan2(a, Dual(c)); }, x);
        expectSameDerivative([&](const Dual& a) { return atan2(Dual(c), a); }, x);
        expectSameDerivative([&](const Dual& a) { return (a * a - c) / (a + 3.0) - a * c; }, x);
        expectSameDerivative(
            [&](const Dual& a) {
                Dual b = a;
                b += a;
                b *= a;
                b -= c;
                b /= a;
                return -b;
            },
            x);
    }
}

TEST(Dual, AreComparedByTheirValues) {
    EXPECT_TRUE(Dual(1.0, 5.0) < Dual(2.0, -5.0));
    EXPECT_FALSE(Dual(1.0, 5.0) < Dual(1.0, 7.0));
    EXPECT_TRUE(Dual(3.0) > Dual(2.0, 9.0));
}

TEST(Dual, RootsAndAnglesOfNothingHaveNoSlopeInsteadOfInfinity) {
    EXPECT_EQ(sqrt(Dual(0.0, 1.0)).derivative, 0.0);
    EXPECT_EQ(atan2(Dual(0.0, 1.0), Dual(0.0, 1.0)).derivative, 0.0);
}

TEST(Dual, CarryTheDerivativeOfARotationThroughItsExponentialAlsoAtZero) {
    Random random(6);
    for (const double size : {0.0, 1e-9, 1e-4, 9.9e-4, 1.1e-3, 0.5, 2.5}) {
        const Vec3 v = random.direction() * size, along = random.direction(),
                   p = random.direction();
        Vec3T<Dual> carried;
        for (std::size_t k = 0; k < 3; ++k) carried[k] = Dual(v[k], along[k]);
        const Vec3T<Dual> moved = rotate(quatExp(carried), cast<Dual>(p));
        constexpr double kStep = 1e-6;
        const Vec3 expected =
            (rotate(quatExp(v + along * kStep), p) - rotate(quatExp(v - along * kStep), p)) /
            (2.0 * kStep);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(moved[k].derivative, expected[k], 1e-8) << size;
    }
}

}  // namespace
}  // namespace ulna
