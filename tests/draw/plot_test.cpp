// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "support/command.h"
#include "support/skeletons.h"
#include "ulna/draw/figure.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

struct Dot {
    double x = 0, y = 0;
    std::string colour;
};

// The points of the curves, in the order drawn.
std::vector<Dot> dots(const std::string& svg) {
    std::vector<Dot> out;
    const std::regex circle(
        "<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\" r=\"2.2\" fill=\"(#[0-9a-f]+)\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), circle), end; i != end; ++i)
        out.push_back({std::stod((*i)[1]), std::stod((*i)[2]), (*i)[3]});
    return out;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

// Judged by a program that draws SVG.
void expectPicture(const std::string& svg) {
    test::writeText(test::scratchFolder() + "/plot.svg", svg);
    const test::CommandResult r = test::shell("rsvg-convert plot.svg -o plot.png");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Plot, PointsStandInProportionOnALinearAxis) {
    const PlotSeries line{"line", {0, 1, 2}, {10, 20, 40}};
    const std::string svg = drawPlot(std::span(&line, 1));
    const std::vector<Dot> p = dots(svg);
    ASSERT_EQ(p.size(), 3U);
    EXPECT_NEAR(p[1].x - p[0].x, p[2].x - p[1].x, 0.2);
    EXPECT_NEAR((p[1].y - p[2].y) / (p[0].y - p[1].y), 2.0, 0.01);
    expectPicture(svg);
}

TEST(Plot, EqualFactorsAreEqualStepsOnALogAxis) {
    const PlotSeries line{"error", {0, 1, 2, 3}, {1e3, 1.0, 1e-3, 0.0}};
    const std::string svg = drawPlot(std::span(&line, 1), {.log_y = true});
    const std::vector<Dot> p = dots(svg);
    ASSERT_EQ(p.size(), 4U);
    EXPECT_NEAR(p[1].y - p[0].y, p[2].y - p[1].y, 0.2);
    EXPECT_DOUBLE_EQ(p[3].y, p[2].y);  // zero has no logarithm: the lower end
    EXPECT_NE(svg.find(">1e-3<"), std::string::npos);
    EXPECT_NE(svg.find(">1e3<"), std::string::npos);
    expectPicture(svg);
}

TEST(Plot, EachSeriesHasItsOwnColourAndAnEntryInTheLegend) {
    std::vector<PlotSeries> many;
    for (int i = 0; i < 9; ++i)
        many.push_back({"method " + std::to_string(i), {0, 1}, {1.0 + i, 2.0 + i}});
    const std::string svg = drawPlot(many);
    const std::vector<Dot> p = dots(svg);
    ASSERT_EQ(p.size(), 18U);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(p[2 * i].colour, p[2 * i + 1].colour);
        for (std::size_t k = 0; k < i; ++k) EXPECT_NE(p[2 * i].colour, p[2 * k].colour);
        EXPECT_EQ(count(svg, ">method " + std::to_string(i) + "</text>"), 1U);
    }
    expectPicture(svg);
}

TEST(Plot, TextIsEscaped) {
    const PlotSeries line{"a<b", {0}, {1}};
    const std::string svg =
        drawPlot(std::span(&line, 1), {.title = "\"t\" & u", .x_label = "<x>", .y_label = "y>"});
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_NE(svg.find("&quot;t&quot; &amp; u"), std::string::npos);
    EXPECT_NE(svg.find("&lt;x&gt;"), std::string::npos);
    expectPicture(svg);
}

TEST(Plot, PointsThatAreNoNumbersBreakTheCurve) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const PlotSeries line{"gap", {0, 1, 2, 3, 4}, {1, 2, nan, INFINITY, 3}};
    const std::string svg = drawPlot(std::span(&line, 1));
    EXPECT_EQ(dots(svg).size(), 3U);
    EXPECT_EQ(count(svg, "<path d=\"M"), 2U);  // the curve and its legend
    const std::regex broken("d=\"M[^\"]*M");
    EXPECT_TRUE(std::regex_search(svg, broken));
    expectPicture(svg);
}

TEST(Plot, NothingToDrawAndConstantsStillMakeAPicture) {
    EXPECT_NE(drawPlot({}).find("no points"), std::string::npos);
    expectPicture(drawPlot({}));
    const PlotSeries one{"one", {0}, {0}};
    expectPicture(drawPlot(std::span(&one, 1)));
    expectPicture(drawPlot(std::span(&one, 1), {.log_y = true, .whole_x = true}));
    const PlotSeries flat{"flat", {1e6, 1e6}, {-5, -5}};
    expectPicture(drawPlot(std::span(&flat, 1), {.level = 1.0, .level_label = "met"}));
}

TEST(Plot, TheLevelIsDrawnWhereItsValueIs) {
    const PlotSeries line{"e", {0, 1}, {100.0, 0.01}};
    const std::string svg =
        drawPlot(std::span(&line, 1), {.log_y = true, .level = 1.0, .level_label = "tolerance"});
    const std::vector<Dot> p = dots(svg);
    std::smatch match;
    const std::regex dashed(
        "y1=\"([0-9.]+)\" x2=\"[0-9.]+\" y2=\"[0-9.]+\" stroke=\"#555\" "
        "stroke-width=\"1.2\" stroke-dasharray");
    ASSERT_TRUE(std::regex_search(svg, match, dashed));
    EXPECT_NEAR(std::stod(match[1]), (p[0].y + p[1].y) / 2.0, 0.11);
    EXPECT_NE(svg.find(">tolerance</text>"), std::string::npos);
}

TEST(Plot, TheVerticalAxisContainsZeroUnlessToldOtherwise) {
    const PlotSeries line{"distance", {0, 1, 2}, {31, 38, 33}};
    const std::string svg = drawPlot(std::span(&line, 1));
    EXPECT_EQ(count(svg, " text-anchor=\"end\" fill=\"#555\">0</text>"), 1U);
    // In proportion to the values: the axis of a plot 420 high is at y = 368.
    const std::vector<Dot> p = dots(svg);
    EXPECT_NEAR((368.0 - p[0].y) / (368.0 - p[1].y), 31.0 / 38.0, 1e-2);
    const std::string close = drawPlot(std::span(&line, 1), {.zero_y = false});
    EXPECT_EQ(count(close, " text-anchor=\"end\" fill=\"#555\">0</text>"), 0U);
    expectPicture(svg);
}

TEST(Plot, TheLegendIsInsideThePictureHoweverLong) {
    std::vector<PlotSeries> many;
    for (int i = 0; i < 40; ++i)
        many.push_back({std::string(90, 'n') + std::to_string(i), {0, 1}, {1.0 + i, 2.0 + i}});
    const std::string svg = drawPlot(many);
    std::smatch page;
    const std::regex size("width=\"([0-9]+)\" height=\"([0-9]+)\"");
    ASSERT_TRUE(std::regex_search(svg, page, size));
    const std::regex entry("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>n");
    for (std::sregex_iterator i(svg.begin(), svg.end(), entry), end; i != end; ++i) {
        EXPECT_LT(std::stod((*i)[1]) + 90 * 6.0, std::stod(page[1]));
        EXPECT_LT(std::stod((*i)[2]), std::stod(page[2]));
    }
    expectPicture(svg);
}

TEST(Plot, NumbersOfTheAxisLeaveRoomForItsLabel) {
    const PlotSeries line{"tiny", {0, 1}, {-1.234567e-05, 2e-05}};
    const std::string svg = drawPlot(std::span(&line, 1), {.y_label = "metres"});
    const std::regex number("<text x=\"([0-9.]+)\"[^>]*text-anchor=\"end\"[^>]*>([^<]+)<");
    constexpr double kLabel = 24.0;  // where the text that goes upwards ends
    for (std::sregex_iterator i(svg.begin(), svg.end(), number), end; i != end; ++i)
        EXPECT_GT(std::stod((*i)[1]) - 6.0 * static_cast<double>((*i)[2].length()), kLabel);
}

TEST(Plot, TicksAreRoundNumbersWithinTheAxis) {
    EXPECT_EQ(roundTicks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(roundTicks(-0.3, 0.31, 6), (std::vector<double>{-0.2, 0, 0.2}));
    EXPECT_EQ(roundTicks(0, 3, 8, true), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(roundTicks(7, 7, 5), (std::vector<double>{7}));
    EXPECT_EQ(roundTicks(-12, 4, 8, true).size(), 9U);
}

TEST(Plot, StackedPicturesStandBelowEachOther) {
    const PlotSeries line{"line", {0, 1}, {1, 2}};
    const std::string plot = drawPlot(std::span(&line, 1), {.width = 500, .height = 300});
    const std::string both[] = {plot, plot};
    const std::string svg = stackPictures(both);
    EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 500 600\"", 0),
              0U);
    EXPECT_NE(svg.find("<svg y=\"300\" "), std::string::npos);
    EXPECT_EQ(count(svg, "</svg>"), 3U);
    expectPicture(svg);
    EXPECT_EQ(svg, stackPictures(both));
}

TEST(Figure, MarksAreCrossesWhereTheirPlacesAreAndFarOnesAreLeftOut) {
    const Skeleton s = test::build({test::joint("a", "", JointKind::Ball, {}),
                                    test::joint("b", "a", JointKind::Ball, {0, 1, 0})});
    const FigurePose plain{computeModelPose(s, restPose(s)), "x"};
    FigurePose marked = plain;
    marked.marks = {{0, 1, 0}, {1000, 0, 0}};
    const std::string svg = drawFigures(s, std::span(&marked, 1));
    EXPECT_EQ(count(svg, "#c2185b"), 4U);  // the two strokes of one cross, and of the legend's
    EXPECT_EQ(count(drawFigures(s, std::span(&plain, 1)), "#c2185b"), 0U);
    // The cross of a place where a joint is goes through the joint.
    std::smatch circle, cross;
    const std::regex joint("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"[0-9.]+\" fill=\"#fff\"");
    std::sregex_iterator second(svg.begin(), svg.end(), joint);
    ++second;
    const std::regex stroke("y1=\"([0-9.]+)\" x2=\"[0-9.]+\" y2=\"[0-9.]+\" stroke=\"#c2185b\"");
    ASSERT_TRUE(std::regex_search(svg, cross, stroke));
    EXPECT_EQ((*second)[2], cross[1]);
}

}  // namespace
}  // namespace ulna::draw
