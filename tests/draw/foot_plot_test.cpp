// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/foot_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "support/command.h"

namespace ulna::draw {
namespace {

constexpr Color kPaper = {250, 250, 250, 255};
constexpr double kWidth = 800.0;

std::vector<double> numbersOf(const std::string& path) {
    std::vector<double> out;
    const std::regex number("-?[0-9]+\\.[0-9]+");
    for (std::sregex_iterator i(path.begin(), path.end(), number), end; i != end; ++i)
        out.push_back(std::stod(i->str()));
    return out;
}

// The curves with a stroke: x and y in turn.
std::vector<std::vector<double>> curvesOf(const std::string& svg, const std::string& width,
                                          std::size_t points) {
    std::vector<std::vector<double>> out;
    const std::regex path("<path d=\"([^\"]*)\"[^>]*stroke-width=\"" + width + "\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), path), end; i != end; ++i) {
        std::vector<double> curve = numbersOf((*i)[1]);
        if (curve.size() == 2 * points) out.push_back(std::move(curve));
    }
    return out;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

// The left heel rises by `rise` in the middle of a second; all else stands.
FootPlot plotOf(double rise) {
    constexpr std::size_t kFrames = 31;
    FootPlot out{.frame_time = 1.0 / 30.0};
    for (FootCurves* curves : {&out.source, &out.result}) {
        for (auto& side : *curves) {
            for (FootCurve& curve : side) {
                curve.height.assign(kFrames, 0.0);
                curve.speed.assign(kFrames, 0.0);
            }
        }
    }
    for (std::size_t f = 10; f <= 20; ++f) {
        out.source[0][0].height[f] = 0.5 * rise;
        out.result[0][0].height[f] = rise;
        out.result[0][0].speed[f] = 3.0;
    }
    out.contacts.contacts = {{BodySide::Left, SolePart::Heel, 0, 9},
                             {BodySide::Left, SolePart::Heel, 21, 30},
                             {BodySide::Right, SolePart::Ball, 5, 25}};
    out.unit = "cm";
    return out;
}

TEST(FootPlot, CurvesAreHeightsAboveTheFloorAndSpeedsOverIt) {
    const std::vector<Vec3> path = {{0, 2.5, 0}, {0.3, 3.0, 0.4}, {0.3, 9.0, 0.4}};
    const FootCurve curve = footCurve(path, 2.0, 0.1);
    EXPECT_EQ(curve.height, (std::vector<double>{0.5, 1.0, 7.0}));
    ASSERT_EQ(curve.speed.size(), 3U);
    EXPECT_DOUBLE_EQ(curve.speed[1], 5.0);
    EXPECT_DOUBLE_EQ(curve.speed[0], 5.0) << "the first frame goes on as the second";
    EXPECT_DOUBLE_EQ(curve.speed[2], 0.0) << "upwards is not over the ground";
    EXPECT_TRUE(footCurve({}, 0.0, 0.1).height.empty());
    EXPECT_EQ(footCurve({{1, 2, 3}}, 0.0, 0.1).speed, std::vector<double>{0.0});
}

TEST(FootPlot, DrawsTheSourceThinAndTheResultThickInProportion) {
    const std::string svg = drawFootPlot(plotOf(10.0), kWidth);
    // Height and speed of heel and ball, left and right.
    const auto thin = curvesOf(svg, "1.0", 31), thick = curvesOf(svg, "2.2", 31);
    ASSERT_EQ(thin.size(), 8U);
    ASSERT_EQ(thick.size(), 8U);
    const auto riseOf = [](const std::vector<double>& c) { return c[1] - c[2 * 15 + 1]; };
    EXPECT_GT(riseOf(thick[0]), 60.0);
    EXPECT_NEAR(riseOf(thin[0]), 0.5 * riseOf(thick[0]), 0.2);
    EXPECT_NEAR(riseOf(thick[1]), 0.0, 0.11) << "the ball";
    // Frames are evenly apart from edge to edge.
    EXPECT_NEAR(thick[0][2 * 15] - thick[0][0], thick[0][2 * 30] - thick[0][2 * 15], 0.2);
}

TEST(FootPlot, ShadesContactsWhereTheyAre) {
    const std::string svg = drawFootPlot(plotOf(10.0), kWidth);
    const std::vector<double> heel = curvesOf(svg, "2.2", 31)[0];
    const auto timeX = [&](double f) { return heel[0] + (heel[60] - heel[0]) * f / 30.0; };
    std::smatch match;
    const std::regex shade(
        "<rect x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\" height=\"120.0\" "
        "fill=\"#0072b2\"");
    ASSERT_TRUE(std::regex_search(svg, match, shade));
    EXPECT_NEAR(std::stod(match[1]), timeX(0.0), 0.2);
    EXPECT_NEAR(std::stod(match[1]) + std::stod(match[2]), timeX(9.5), 0.2);
    // Two of the left heel and one of the right ball, in both panels of their foot.
    EXPECT_EQ(count(svg, "height=\"120.0\" fill=\"#0072b2\""), 4U);
    EXPECT_EQ(count(svg, "height=\"120.0\" fill=\"#d55e00\""), 2U);
}

TEST(FootPlot, ShowsHowDeepSolesAreAndHowFastInContactWhereThatCanBeSeen) {
    FootPlot plot = plotOf(10.0);
    EXPECT_EQ(count(drawFootPlot(plot, kWidth), "stroke-dasharray"), 0U);
    plot.result[1][1].height[12] = -2.0;
    plot.penetration = 2.0;
    plot.slide = 1.5;
    const std::string svg = drawFootPlot(plot, kWidth);
    EXPECT_EQ(count(svg, "stroke-dasharray"), 4U);
    EXPECT_EQ(count(svg, ">lowest<"), 2U);
    EXPECT_EQ(count(svg, ">fastest in contact<"), 2U);
    // The lowest point lies on the line.
    const std::vector<double> ball = curvesOf(svg, "2.2", 31)[5];
    std::smatch match;
    const std::regex dashed("y1=\"([0-9.]+)\"[^>]*stroke-dasharray");
    ASSERT_TRUE(std::regex_search(svg, match, dashed));
    EXPECT_NEAR(std::stod(match[1]), ball[2 * 12 + 1], 0.11);
}

TEST(FootPlot, AJumpDoesNotFlattenAllOtherSpeeds) {
    FootPlot plot = plotOf(10.0);
    plot.result[0][1].speed[0] = 1e4;
    const auto curves = curvesOf(drawFootPlot(plot, kWidth), "2.2", 31);
    ASSERT_EQ(curves.size(), 8U);
    const std::vector<double>& heel = curves[2];  // speeds come after both heights of a foot
    EXPECT_GT(heel[1] - heel[2 * 15 + 1], 20.0);
}

TEST(FootPlot, HasALaneOfJointsAtLimitsOnlyWhereThereAreSome) {
    FootPlot plot = plotOf(10.0);
    plot.at_limit.assign(31, 0);
    EXPECT_EQ(count(drawFootPlot(plot, kWidth), "joints at a limit"), 0U);
    std::fill(plot.at_limit.begin() + 12, plot.at_limit.begin() + 16, 2U);
    plot.at_limit[16] = 1;
    const std::string svg = drawFootPlot(plot, kWidth);
    EXPECT_EQ(count(svg, "joints at a limit (up to 2)"), 2U);
    EXPECT_EQ(count(svg, "fill=\"#7a5ea0\""), 4U) << "a box for each run, below each foot";
}

TEST(FootPlot, IsAPictureForAProgramThatDrawsSvgAlsoWithoutFrames) {
    FootPlot plot = plotOf(10.0);
    plot.notes = {"a < b & c", "second"};
    for (const FootPlot& each : {plot, FootPlot{}}) {
        const std::string svg = drawFootPlot(each, kWidth);
        test::writeText(test::scratchFolder() + "/feet.svg", svg);
        const test::CommandResult r = test::shell("rsvg-convert feet.svg -o feet.png");
        EXPECT_EQ(r.exit_code, 0) << r.err;
        EXPECT_EQ(svg.find("nan"), std::string::npos);
    }
}

TEST(FootPlot, AsPixelsItHasTheSameLinesInTheSamePlaces) {
    const FootPlot plot = plotOf(10.0);
    const std::vector<double> heel = curvesOf(drawFootPlot(plot, kWidth), "2.2", 31)[0];
    for (const double scale : {1.0, 2.0}) {
        const Raster image = shadeFootPlot(plot, kWidth, scale, kPaper);
        EXPECT_EQ(image.width, static_cast<std::size_t>(kWidth * scale));
        const auto at = [&](double x, double y) {
            return image.pixels[static_cast<std::size_t>(y * scale) * image.width +
                                static_cast<std::size_t>(x * scale)];
        };
        // On the plateau there is the line, below it paper, and in a contact the paper is shaded.
        const double x = heel[2 * 15], y = heel[2 * 15 + 1];
        EXPECT_LT(at(x, y).r, 60);
        EXPECT_EQ(at(x + 3.0, y + 8.0), kPaper);
        const Color shaded = at(heel[2 * 5] + 2.0, y + 8.0);
        EXPECT_LT(shaded.r, shaded.b) << "blue on paper";
        EXPECT_GT(shaded.r, 190);
    }
}

}  // namespace
}  // namespace ulna::draw
