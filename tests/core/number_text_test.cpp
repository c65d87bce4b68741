// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "ulna/math/random.h"

namespace ulna {
namespace {

TEST(NumberText, HasNoDigitsThatSayNothing) {
    EXPECT_EQ(shortNumber(0.1 + 0.2), "0.3");
    EXPECT_EQ(shortNumber(1.0), "1");
    EXPECT_EQ(shortNumber(100.0), "100");
    EXPECT_EQ(shortNumber(-2.50), "-2.5");
    EXPECT_EQ(shortNumber(16.0 / 15.0), "1.06667");
    EXPECT_EQ(shortNumber(16.0 / 15.0, 3), "1.07");
    EXPECT_EQ(shortNumber(2e-7), "2e-7");
    EXPECT_EQ(shortNumber(-1.25e-12, 3), "-1.25e-12");
    EXPECT_EQ(shortNumber(1e20), "1e20");
    EXPECT_EQ(shortNumber(-0.0), "0");
    EXPECT_EQ(shortDecimals(1.0, 6), "1");
    EXPECT_EQ(shortDecimals(-0.01016, 6), "-0.01016");
    EXPECT_EQ(shortDecimals(1200.0, 2), "1200");
    EXPECT_EQ(shortDecimals(-1e-9, 6), "0");
    EXPECT_EQ(shortDecimals(-0.5, 0), "0");
    EXPECT_EQ(shortDecimals(1e6, 0), "1000000");
}

TEST(NumberText, OfWhatIsNoFiniteNumberSaysSo) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {infinity, -infinity, std::nan("")}) {
        EXPECT_EQ(shortNumber(value), shortDecimals(value, 3));
        EXPECT_FALSE(std::isfinite(std::strtod(shortNumber(value).c_str(), nullptr)));
    }
}

TEST(NumberText, ReadsBackWithinItsRounding) {
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
        const double exponent = random.between(-30.0, 30.0);
        const double value = random.between(-1.0, 1.0) * std::pow(10.0, exponent);
        const std::string text = shortNumber(value, 5);
        const double back = std::strtod(text.c_str(), nullptr);
        EXPECT_LE(std::abs(back - value), 0.5000001e-4 * std::abs(value)) << text;
        EXPECT_LE(text.size(), 11U) << text;
        const double small = random.between(-10.0, 10.0);
        EXPECT_NEAR(std::strtod(shortDecimals(small, 4).c_str(), nullptr), small, 0.5000001e-4);
    }
}

}  // namespace
}  // namespace ulna
