// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/curves.h"

#include <gtest/gtest.h>

#include <regex>

#include "support/clips.h"
#include "support/skeletons.h"

namespace ulna::draw {
namespace {

std::size_t keysIn(const std::string& svg) {
    const std::regex mark("<circle [^>]*r=\"3.6\"");
    return static_cast<std::size_t>(
        std::distance(std::sregex_iterator(svg.begin(), svg.end(), mark), std::sregex_iterator()));
}

TEST(Curves, MarkEveryKeyOfTheJoint) {
    const test::Clip clip = test::randomClip(1, 7);
    const KeyedMotion keyed = makeKeyed(clip.motion);
    EXPECT_EQ(keysIn(drawCurves(clip.skeleton, keyed, jointId(5))), 3U * 7U);
    EXPECT_EQ(keysIn(drawCurves(clip.skeleton, keyed, jointId(0))), 6U * 7U) << "the offset too";
    EXPECT_EQ(keysIn(drawCurves(clip.skeleton, keyed, jointId(5), {.most_keys = 6})), 0U);
}

TEST(Curves, OfSingleAnglesHaveTheirOwnKeys) {
    const Skeleton s = test::straightWalk(2, 1.0).skeleton;
    KeyedMotion motion{.base = restPose(s)};
    AngleTracks angles = makeAngleTracks(s, s.find("leg"));
    angles.rotations[0].angle = Track<double>({{0, 0}, {1, 9}});
    angles.rotations[2].angle = Track<double>({{0.5, 1}, {0.7, 1}, {2, 0}});
    motion.at(s.find("leg")).rotation = angles;
    const std::string svg = drawCurves(s, motion, s.find("leg"), {.title = "a <title>"});
    EXPECT_EQ(keysIn(svg), 5U);
    EXPECT_NE(svg.find("leg.rx"), std::string::npos);
    EXPECT_NE(svg.find("a &lt;title&gt;"), std::string::npos);
}

TEST(Curves, SayThatTheirDotsAreKeys) {
    const test::Clip clip = test::randomClip(1, 7);
    const KeyedMotion keyed = makeKeyed(clip.motion);
    EXPECT_NE(drawCurves(clip.skeleton, keyed, jointId(5)).find(">key</text>"), std::string::npos);
    EXPECT_EQ(drawCurves(clip.skeleton, keyed, jointId(5), {.most_keys = 6}).find(">key</text>"),
              std::string::npos);
}

TEST(Curves, BeginAtZeroUnlessThatWouldHideHowTheyChange) {
    const Skeleton s = test::straightWalk(2, 1.0).skeleton;
    const auto drawn = [&](double from, double to) {
        KeyedMotion motion{.base = restPose(s)};
        motion.at(jointId(0)).translation =
            Track<Vec3>({{0, {from, from, from}}, {1, {to, to, to}}}, Interpolation::Linear);
        return drawCurves(s, motion, jointId(0));
    };
    const std::string zero = "text-anchor=\"end\" fill=\"#555\">0</text>";
    // The second picture.
    const auto offsets = [&](const std::string& svg) { return svg.substr(svg.rfind("<svg ")); };
    EXPECT_NE(offsets(drawn(1.0, 3.0)).find(zero), std::string::npos);
    EXPECT_EQ(offsets(drawn(90.0, 92.0)).find(zero), std::string::npos);
}

TEST(Curves, OfAJointThatDoesNotMoveAreStillAPicture) {
    const test::Clip clip = test::straightWalk(3, 1.0);
    const KeyedMotion still{.base = restPose(clip.skeleton)};
    EXPECT_NE(drawCurves(clip.skeleton, still, jointId(1)).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace ulna::draw
