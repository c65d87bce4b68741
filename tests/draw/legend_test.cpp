// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/legend.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ulna/draw/shaded.h"

namespace ulna::draw {
namespace {

constexpr Color kPaper = {250, 250, 250, 255};

Raster blank(std::size_t width, std::size_t height) {
    return {width, height, std::vector<Color>(width * height, Color{1, 2, 3, 255}), 50.0};
}

// The columns of a row that differ from the paper, as one run each.
std::vector<std::pair<std::size_t, std::size_t>> runsIn(const Raster& image, std::size_t y) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t x = 0; x < image.width; ++x) {
        if (image.pixels[y * image.width + x] == kPaper) continue;
        if (out.empty() || out.back().second != x)
            out.emplace_back(x, x + 1);
        else
            out.back().second = x + 1;
    }
    return out;
}

TEST(Legend, IsBelowThePictureWhichStaysAsItIs) {
    const Raster image = blank(300, 200);
    const Raster out = withLegend(image, {.bar = ColorBar{.label = "weight"}}, kPaper);
    EXPECT_EQ(out.width, 300U);
    EXPECT_GT(out.height, 200U);
    EXPECT_TRUE(std::equal(image.pixels.begin(), image.pixels.end(), out.pixels.begin()));
    EXPECT_EQ(withLegend(image, {}, kPaper).pixels, image.pixels) << "nothing to say";
}

TEST(Legend, AColourBarHasEveryColourFromTheLowestToTheHighest) {
    const Raster out = withLegend(blank(400, 10), {.bar = ColorBar{.label = "w"}}, kPaper);
    // The widest run of some row is the bar.
    std::pair<std::size_t, std::size_t> bar{0, 0};
    std::size_t row = 0;
    for (std::size_t y = 10; y < out.height; ++y) {
        for (const auto& run : runsIn(out, y)) {
            if (run.second - run.first <= bar.second - bar.first) continue;
            bar = run;
            row = y;
        }
    }
    const std::size_t length = bar.second - bar.first;
    ASSERT_GT(length, 100U);
    for (std::size_t i = 0; i < length; ++i) {
        const auto share = static_cast<float>(i) / static_cast<float>(length - 1);
        EXPECT_EQ(out.pixels[row * out.width + bar.first + i], weightColor(share)) << i;
    }
}

TEST(Legend, NamesEveryColour) {
    std::vector<LegendColor> colors;
    for (int i = 0; i < 30; ++i)
        colors.push_back({{static_cast<std::uint8_t>(8 * i), 200, 40, 255}, "joint"});
    const Raster out = withLegend(blank(200, 200), {.colors = colors}, kPaper);
    for (const LegendColor& entry : colors)
        EXPECT_GT(std::count(out.pixels.begin(), out.pixels.end(), entry.color), 60);
}

TEST(Legend, AScaleBarIsAsLongAsItSays) {
    // Of the lengths up to five letters, 1 unit of 50 pixels is the longest round one.
    const Raster out = withLegend(
        blank(300, 200), {.scale = ScaleBar{.pixels_per_unit = 50.0, .unit = "m"}}, kPaper);
    std::size_t longest = 0;
    for (std::size_t y = 200; y < out.height; ++y)
        for (const auto& [from, to] : runsIn(out, y)) longest = std::max(longest, to - from);
    EXPECT_EQ(longest, 50U);
}

TEST(Legend, WidensAPictureThatIsTooNarrowForIt) {
    const Raster out =
        withLegend(blank(20, 20), {.bar = ColorBar{.label = "distance (m)"}}, kPaper);
    EXPECT_GT(out.width, 200U);
    const std::vector<std::pair<std::size_t, std::size_t>> middle = {
        {(out.width - 20) / 2, (out.width - 20) / 2 + 20}};
    EXPECT_EQ(runsIn(out, 5), middle);
}

}  // namespace
}  // namespace ulna::draw
