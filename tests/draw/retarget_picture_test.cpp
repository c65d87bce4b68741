// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/retarget_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "support/command.h"
#include "support/humanoid.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

// A person that walks 2 m forward in a second, and one whose ground is elsewhere and z is up.
struct Scene {
    Skeleton skeleton = test::makeHumanoid(test::nameFamilies().front());
    Motion motion = walking();
    Contacts contacts = {.contacts = {{BodySide::Left, SolePart::Heel, 0, 15},
                                      {BodySide::Right, SolePart::Ball, 16, 30}}};

    [[nodiscard]] Motion walking() const {
        Motion out(restPose(skeleton), 31, 1.0 / 30.0, {{}, {skeleton.roots().front()}, {}});
        for (std::size_t f = 0; f < 31; ++f) {
            Pose pose = restPose(skeleton);
            pose[skeleton.roots().front()].translation.z += 2.0 * static_cast<double>(f) / 30.0;
            out.setPose(f, pose);
        }
        return out;
    }
    [[nodiscard]] RetargetPicture picture() const {
        return {.source = {.name = "from <a>", .skeleton = skeleton, .motion = motion},
                .result = {.name = "to b", .skeleton = skeleton, .motion = motion},
                .contacts = contacts,
                .unit = "m"};
    }
};

std::vector<std::string> captionsOf(const std::string& svg) {
    std::vector<std::string> out;
    const std::regex time(">([0-9.]+ s)</text>");
    for (std::sregex_iterator i(svg.begin(), svg.end(), time), end; i != end; ++i)
        out.push_back((*i)[1]);
    return out;
}

TEST(RetargetPicture, HasTheSourceAboveTheResultAtTheSameTimes) {
    const Scene scene;
    const std::string svg = drawRetarget(scene.picture(), {.figures = 4});
    const std::vector<std::string> times = {"0.00 s", "0.33 s", "0.67 s", "1.00 s"};
    std::vector<std::string> twice = times;
    twice.insert(twice.end(), times.begin(), times.end());
    EXPECT_EQ(captionsOf(svg), twice);
    const auto yOf = [&](const char* name) {
        std::smatch match;
        const std::regex title(std::string("y=\"([0-9.]+)\"[^>]*>") + name + "<");
        EXPECT_TRUE(std::regex_search(svg, match, title)) << name;
        return match.empty() ? 0.0 : std::stod(match[1]);
    };
    EXPECT_LT(yOf("from &lt;a&gt;") + 100.0, yOf("to b"));
    test::writeText(test::scratchFolder() + "/retarget.svg", svg);
    EXPECT_EQ(test::shell("rsvg-convert retarget.svg -o retarget.png").exit_code, 0);
}

TEST(RetargetPicture, EqualBodiesAreDrawnAlikeWhereverTheyWalk) {
    const Scene scene;
    RetargetPicture picture = scene.picture();
    const Raster image = shadeRetarget(picture, {.figures = 6, .height = 120});
    // Two rows with their titles; the last in each row stands as the first, 2 m further.
    const std::size_t cell = image.width / 6;
    std::size_t differing = 0;
    for (std::size_t y = 30; y < 90; ++y)
        for (std::size_t x = 0; x < cell; ++x)
            differing += std::abs(image.pixels[y * image.width + x].r -
                                  image.pixels[y * image.width + 5 * cell + x].r) > 12
                             ? 1
                             : 0;
    EXPECT_LT(differing, 60 * cell / 100) << "shadows begin at another texel";
}

TEST(RetargetPicture, StandsOnItsOwnGroundWhateverIsUp) {
    const Scene scene;
    // The same clip with z up, on a floor of its own.
    const Quat z_from_y = quatFromAxisAngle(Vec3{1, 0, 0}, 0.5 * kPi);
    constexpr double kFloor = 3.0;
    const JointId root = scene.skeleton.roots().front();
    Motion other(restPose(scene.skeleton), 31, 1.0 / 30.0, {{root}, {root}, {}});
    for (std::size_t f = 0; f < 31; ++f) {
        Pose pose = scene.motion.pose(f);
        pose[root].rotation = z_from_y * pose[root].rotation;
        pose[root].translation = rotate(z_from_y, pose[root].translation) + Vec3{0, 0, kFloor};
        other.setPose(f, pose);
    }
    RetargetPicture picture = scene.picture();
    const std::string plain = drawRetarget(picture, {.figures = 3});
    const RetargetPicture mixed{.source = picture.source,
                                .result = {.name = "to b",
                                           .skeleton = scene.skeleton,
                                           .motion = other,
                                           .model_from_ground = z_from_y,
                                           .floor = kFloor},
                                .contacts = picture.contacts,
                                .unit = "m"};
    EXPECT_EQ(drawRetarget(mixed, {.figures = 3}), plain);
}

TEST(RetargetPicture, DotsAreFilledInContact) {
    const Scene scene;
    const RetargetPicture picture = scene.picture();
    const FrameFigures frames =
        retargetFrames(picture, AnimationTimes{.fps = 1.0, .times = {0.0, 1.0}});
    const auto dotsOf = [&](std::size_t i) {
        std::vector<bool> out;
        const std::vector<AnimatedFigure> figures = frames(i);
        for (const FigureDot& dot : figures.front().dots) out.push_back(dot.on);
        return out;
    };
    EXPECT_EQ(dotsOf(0), (std::vector<bool>{true, false, false, false}));
    EXPECT_EQ(dotsOf(1), (std::vector<bool>{false, false, false, true}));
    EXPECT_EQ(frames(0).size(), 2U);
    EXPECT_EQ(frames(0)[0].caption, "from <a>");
    // Both cameras go along.
    EXPECT_NEAR(frames(1)[1].spot.z - frames(0)[1].spot.z, 2.0, 1e-6);
}

TEST(RetargetPicture, TheLegendNamesColoursAndDots) {
    const Scene scene;
    RetargetPicture picture = scene.picture();
    EXPECT_EQ(retargetLegend(picture).colors.size(), 3U);
    EXPECT_FALSE(retargetLegend(picture).note.empty());
    picture.contacts.contacts.clear();
    EXPECT_TRUE(retargetLegend(picture).note.empty());
}

TEST(RetargetPicture, AClipOfOneFrameIsAFigure) {
    const Scene scene;
    const Motion one(restPose(scene.skeleton), 1, 1.0 / 30.0, {});
    const RetargetPicture picture{
        .source = {.name = "a", .skeleton = scene.skeleton, .motion = one},
        .result = {.name = "b", .skeleton = scene.skeleton, .motion = one}};
    EXPECT_EQ(captionsOf(drawRetarget(picture)).size(), 2U);
}

}  // namespace
}  // namespace ulna::draw
