// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

// Circles of joints as (x, y) on the page, in the order drawn.
std::vector<Vec2> joints(const std::string& svg) {
    std::vector<Vec2> out;
    const std::regex circle(
        "<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\" r=\"[0-9.]+\" fill=\"#fff\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), circle), end; i != end; ++i) {
        out.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
    }
    return out;
}

Skeleton cross3d() {
    return test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                        test::joint("LeftArm", "Hips", JointKind::Ball, {1, 0, 0}),
                        test::joint("RightArm", "Hips", JointKind::Ball, {-1, 0, 0}),
                        test::joint("Nose", "Hips", JointKind::Ball, {0, 0, 1}),
                        test::joint("Head", "Hips", JointKind::Ball, {0, 1, 0})});
}

std::vector<Vec2> drawn(View view, UpAxis up) {
    const Skeleton s = cross3d();
    const FigurePose pose{computeModelPose(s, restPose(s)), "rest"};
    return joints(drawFigures(s, std::span(&pose, 1), {.view = view, .up = up}));
}

TEST(Figure, FrontViewHasLeftOnTheRightOfThePageAndUpUp) {
    const std::vector<Vec2> p = drawn(View::Front, UpAxis::Y);
    ASSERT_EQ(p.size(), 5U);
    EXPECT_GT(p[1].x, p[0].x);
    EXPECT_LT(p[2].x, p[0].x);
    EXPECT_LT(p[4].y, p[0].y);
    // To scale: an arm is as wide as the head is high, and the nose points at the viewer.
    EXPECT_NEAR(p[1].x - p[0].x, p[0].y - p[4].y, 0.2);
    EXPECT_NEAR(p[3].x, p[0].x, 0.1);
}

TEST(Figure, SideViewShowsTheNoseToTheLeft) {
    const std::vector<Vec2> p = drawn(View::Side, UpAxis::Y);
    EXPECT_LT(p[3].x, p[0].x - 1.0);
    EXPECT_NEAR(p[1].x, p[0].x, 0.1);
}

TEST(Figure, WithZUpTheNoseAxisPointsUp) {
    const std::vector<Vec2> p = drawn(View::Front, UpAxis::Z);
    EXPECT_LT(p[3].y, p[0].y - 1.0);
}

TEST(Figure, NamesAreWrittenOnRequestAndEscaped) {
    const Skeleton s = test::build({test::joint("a<b>&\"c\"", "", JointKind::Ball, {})});
    const FigurePose pose{computeModelPose(s, restPose(s)), "x"};
    EXPECT_EQ(drawFigures(s, std::span(&pose, 1)).find("a&lt;"), std::string::npos);
    const std::string named = drawFigures(s, std::span(&pose, 1), {.names = true});
    EXPECT_NE(named.find("a&lt;b&gt;&amp;&quot;c&quot;"), std::string::npos);
}

struct TextBox {
    double left, top, right, bottom;
    std::string text;
};

// The boxes of all texts of a size, in a narrow font: wider ones would only overlap more.
std::vector<TextBox> textsOf(const std::string& svg, double size) {
    std::vector<TextBox> out;
    const std::regex text(
        "<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" font-size=\"([0-9.]+)\" "
        "text-anchor=\"([a-z]+)\"[^>]*>([^<]*)<");
    for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
        if (std::stod((*i)[3]) != size) continue;
        const std::string content = (*i)[5], anchor = (*i)[4];
        const double width = 0.5 * size * static_cast<double>(content.size());
        const double x = std::stod((*i)[1]), y = std::stod((*i)[2]);
        const double left = anchor == "start" ? x : anchor == "end" ? x - width : x - width / 2.0;
        out.push_back({left, y - 0.7 * size, left + width, y + 0.1 * size, content});
    }
    return out;
}

double widthOf(const std::string& svg) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(svg, match, std::regex("width=\"([0-9.]+)\"")));
    return std::stod(match[1]);
}

// A body with two hands of twenty joints each, closer together than their names are high.
Skeleton withHands() {
    std::vector<JointDef> joints = {test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                                    test::joint("Head", "Hips", JointKind::Ball, {0, 0.7, 0})};
    for (const double side : {1.0, -1.0}) {
        const std::string hand = side > 0.0 ? "LeftHand" : "RightHand";
        joints.push_back(test::joint(hand, "Hips", JointKind::Ball, {0.4 * side, 0, 0}));
        for (int finger = 0; finger < 5; ++finger) {
            std::string parent = hand;
            for (int i = 0; i < 4; ++i) {
                const std::string name =
                    hand + "Finger" + std::to_string(finger) + std::to_string(i);
                joints.push_back(test::joint(name, parent, JointKind::Ball,
                                             {0.01 * side, 0.01 * (finger - 2), 0.0}));
                parent = name;
            }
        }
    }
    return test::build(joints);
}

TEST(Figure, NamesDoNotOverlapAndNoneIsMissing) {
    const Skeleton s = withHands();
    const FigurePose pose{computeModelPose(s, restPose(s)), "x"};
    for (const View view : {View::Front, View::Side, View::ThreeQuarter}) {
        const FigurePose poses[] = {pose, pose};
        const std::string svg = drawFigures(s, poses, {.view = view, .names = true});
        const std::vector<TextBox> names = textsOf(svg, 9.0);
        ASSERT_EQ(names.size(), 2 * s.jointCount());
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_GE(names[i].left, 0.0) << names[i].text;
            EXPECT_LE(names[i].right, widthOf(svg)) << names[i].text;
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(names[i].left < names[k].right && names[k].left < names[i].right &&
                             names[i].top < names[k].bottom && names[k].top < names[i].bottom)
                    << names[i].text << " lies over " << names[k].text;
        }
    }
}

TEST(Figure, NamesWithoutRoomAreLeftOutAndCounted) {
    std::vector<JointDef> joints = {test::joint("joint", "", JointKind::Ball, {})};
    for (int i = 0; i < 2000; ++i)
        joints.push_back(test::joint("joint " + std::to_string(i), "joint", JointKind::Ball, {}));
    const Skeleton s = test::build(joints);
    const FigurePose pose{computeModelPose(s, restPose(s)), ""};
    const std::string svg = drawFigures(s, std::span(&pose, 1), {.names = true});
    const std::size_t written = textsOf(svg, 9.0).size();
    EXPECT_GT(written, 50U);
    EXPECT_NE(svg.find(">" + std::to_string(2001 - written) + " names left out"),
              std::string::npos);
}

TEST(Figure, TheLegendNamesEveryColourUsed) {
    const Skeleton s = test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                                    test::joint("LeftArm", "Hips", JointKind::Ball, {1, 0, 0}),
                                    test::joint("RightArm", "Hips", JointKind::Ball, {-1, 0, 0}),
                                    test::joint("Head", "Hips", JointKind::Ball, {0, 1, 0})});
    FigurePose pose{computeModelPose(s, restPose(s)), "x"};
    pose.marks = {{0.5, 1, 0}};
    // From the front all bones are equally far away, so that none is paler.
    const std::string svg =
        drawFigures(s, std::span(&pose, 1), {.view = View::Front, .mark_name = "where to"});
    const std::regex bone("<path [^>]*fill=\"(#[0-9a-f]+)\"");
    std::vector<std::string> texts;
    for (std::sregex_iterator i(svg.begin(), svg.end(), bone), end; i != end; ++i) {
        std::smatch entry;
        const std::regex dot("<circle [^>]*fill=\"" + (*i)[1].str() +
                             "\"/>\n<text [^>]*>([a-z]+)</text>");
        ASSERT_TRUE(std::regex_search(svg, entry, dot)) << (*i)[1];
        texts.push_back(entry[1]);
    }
    std::sort(texts.begin(), texts.end());
    EXPECT_EQ(texts, (std::vector<std::string>{"centre", "left", "right"}));
    EXPECT_NE(svg.find(">where to</text>"), std::string::npos);
}

TEST(Figure, TheScaleBarIsAsLongAsItSaysAndEndsInItsUnit) {
    const Skeleton s = cross3d();
    const FigurePose pose{computeModelPose(s, restPose(s)), "x"};
    for (const std::string unit : {"cm", ""}) {
        const std::string svg =
            drawFigures(s, std::span(&pose, 1), {.view = View::Front, .unit = unit});
        std::smatch bar;
        const std::regex line(
            "<line x1=\"([0-9.]+)\" [^>]*x2=\"([0-9.]+)\"[^>]*/>\n<text "
            "[^>]*>([0-9.e-]+) ([a-z]+)</text>");
        ASSERT_TRUE(std::regex_search(svg, bar, line));
        EXPECT_EQ(bar[4], unit.empty() ? "units" : unit);
        const std::vector<Vec2> p = joints(svg);
        const double pixels = std::stod(bar[2]) - std::stod(bar[1]);
        EXPECT_NEAR(pixels / std::stod(bar[3]), p[1].x - p[0].x, 1.5);
    }
}

TEST(Figure, ManyFiguresMakeRowsThatAreNoWiderThanAsked) {
    const Skeleton s = cross3d();
    std::vector<FigurePose> poses(10, {computeModelPose(s, restPose(s)), "projected-gradient"});
    const FigureOptions options{.height = 300.0, .max_width = 1100.0};
    const std::string svg = drawFigures(s, poses, options);
    EXPECT_LE(widthOf(svg), 1100.0);
    EXPECT_GT(widthOf(drawFigures(s, poses, {.height = 300.0})), 1100.0);
    const std::vector<Vec2> p = joints(svg);
    ASSERT_EQ(p.size(), 50U);
    EXPECT_GT(p[45].y, p[0].y + 200.0) << "the last is in another row";
    const std::vector<TextBox> captions = textsOf(svg, 13.0);
    ASSERT_EQ(captions.size(), 10U);
    for (std::size_t i = 1; i < captions.size(); ++i)
        EXPECT_TRUE(captions[i].left > captions[i - 1].right ||
                    captions[i].top > captions[i - 1].bottom);
}

TEST(Figure, AStripHasOneFigurePerPoseWhereverTheyWalk) {
    const Skeleton s = cross3d();
    std::vector<FigurePose> poses;
    for (int i = 0; i < 4; ++i) {
        Pose pose = restPose(s);
        pose.parent_from_joint[0].translation.z = 10.0 * i;
        poses.push_back({computeModelPose(s, pose), "frame " + std::to_string(i)});
    }
    const std::string svg = drawFigures(s, poses);
    const std::vector<Vec2> p = joints(svg);
    ASSERT_EQ(p.size(), 20U);
    EXPECT_NEAR(p[0].y, p[15].y, 0.11);
    EXPECT_GT(p[15].x, p[10].x + 50.0);
    EXPECT_NE(svg.find("frame 3"), std::string::npos);
}

TEST(Figure, NothingToDrawIsSaidInThePicture) {
    EXPECT_NE(drawFigures(test::build({}), {}).find("without joints"), std::string::npos);
    EXPECT_NE(drawFigures(cross3d(), {}).find("no poses"), std::string::npos);
}

TEST(Figure, APointlikeSkeletonStillMakesAPicture) {
    const Skeleton s = test::build(
        {test::joint("a", "", JointKind::Ball, {}), test::joint("b", "a", JointKind::Ball, {})});
    const FigurePose pose{computeModelPose(s, restPose(s)), ""};
    const std::string svg = drawFigures(s, std::span(&pose, 1));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(joints(svg).size(), 2U);
}

TEST(Figure, TheUpAxisIsGuessedFromTheTallerSide) {
    EXPECT_EQ(guessUpAxis(test::build({test::joint("a", "", JointKind::Ball, {}),
                                       test::joint("b", "a", JointKind::Ball, {0, 2, 1})})),
              UpAxis::Y);
    EXPECT_EQ(guessUpAxis(test::build({test::joint("a", "", JointKind::Ball, {}),
                                       test::joint("b", "a", JointKind::Ball, {0, 1, 2})})),
              UpAxis::Z);
    EXPECT_EQ(guessUpAxis(test::build({})), UpAxis::Y);
}

}  // namespace
}  // namespace ulna::draw
