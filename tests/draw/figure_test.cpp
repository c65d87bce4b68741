// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/figure.h"

#include <gtest/gtest.h>

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
