// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/animation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ulna/math/scalar.h"

namespace ulna::draw {
namespace {

Motion clip(std::size_t frames, double fps) {
    return Motion(Pose{}, frames, 1.0 / fps, {});
}

// A box of a side, whose lowest points are on the ground around x.
Mesh box(double side, double x) {
    const auto s = static_cast<float>(side / 2.0), m = static_cast<float>(x);
    Mesh out;
    for (const float z : {-s, s})
        for (const float y : {0.0f, 2.0f * s})
            for (const float along : {-s, s}) out.positions.push_back({m + along, y, z});
    out.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return out;
}

constexpr Color kClear = {255, 255, 255, 0};

ShadedOptions silhouette() {
    return {.view = View::Front, .height = 120, .background = kClear, .ground = false};
}

// The middle column of what is seen, and how wide it is.
struct Extent {
    double middle = 0.0, width = 0.0;
};
Extent extentOf(const Raster& image) {
    double low = 1e9, high = -1e9;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        if (image.pixels[i].a < 128) continue;
        const auto x = static_cast<double>(i % image.width);
        low = std::min(low, x);
        high = std::max(high, x + 1.0);
    }
    return {(low + high) / 2.0, high - low};
}

std::vector<Raster> framesOf(std::size_t count, const FrameFigures& figuresAt,
                             const ShadedOptions& options) {
    std::vector<Raster> out;
    EXPECT_TRUE(drawFrames(count, figuresAt, options, [&](const Raster& f) { out.push_back(f); }));
    return out;
}

TEST(Animation, ShowsEveryFrameUpToThirtyPerSecondAndEveryNthAbove) {
    const struct {
        double fps, shown;
    } cases[] = {{24, 24}, {25, 25},  {30, 30},  {50, 25},
                 {60, 30}, {100, 25}, {120, 30}, {144, 28.8}};
    for (const auto& each : cases) {
        const AnimationTimes film = animationTimes(clip(25, each.fps));
        EXPECT_NEAR(film.fps, each.shown, 1e-9) << each.fps;
        const double step = each.fps / each.shown;
        ASSERT_EQ(film.times.size(), static_cast<std::size_t>(24.0 / step + 1e-9) + 1) << each.fps;
        for (std::size_t i = 0; i < film.times.size(); ++i)
            EXPECT_NEAR(film.times[i] * each.fps, step * static_cast<double>(i), 1e-9);
        EXPECT_FALSE(film.cut);
    }
}

TEST(Animation, RoundedFrameTimesOfFilesAreTakenForWhatTheyMean) {
    const Motion rounded(Pose{}, 61, 0.0333, {});
    EXPECT_EQ(animationTimes(rounded).times.size(), 61U);
}

TEST(Animation, HasAtMostSoManyFramesFromTheStart) {
    const AnimationTimes film = animationTimes(clip(3000, 30.0));
    EXPECT_TRUE(film.cut);
    EXPECT_EQ(film.times.size(), kMostAnimationFrames);
    EXPECT_DOUBLE_EQ(film.times[1], 1.0 / 30.0);
}

TEST(Animation, TakesAnyRateAndOneFrame) {
    const AnimationTimes film = animationTimes(clip(31, 30.0), 12.0);
    EXPECT_EQ(film.times.size(), 13U);
    EXPECT_NEAR(film.times.back(), 1.0, 1e-12);
    EXPECT_EQ(animationTimes(clip(1, 30.0)).times, std::vector<double>{0.0});
}

TEST(Animation, ACameraRestsWhileWhatItSeesStaysNear) {
    std::vector<Vec3> path;
    for (int i = 0; i < 60; ++i) path.push_back({0.1 * std::sin(0.3 * i), 0.0, 0.05});
    const std::vector<Vec3> spots = followedPath(path, 30.0, 0.2);
    for (const Vec3& spot : spots) EXPECT_EQ(spot, spots.front());
    EXPECT_NEAR(spots.front().x, 0.0, 0.01);
}

TEST(Animation, ACameraFollowsAStraightPathExactly) {
    std::vector<Vec3> path;
    for (int i = 0; i < 90; ++i) path.push_back({0.04 * i, 0.0, 1.0 - 0.01 * i});
    const std::vector<Vec3> spots = followedPath(path, 30.0, 0.5);
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_LT(distance(spots[i], path[i]), 1e-9) << i;
}

TEST(Animation, ACameraDoesNotShakeWithWhatItFollows) {
    std::vector<Vec3> path;
    for (int i = 0; i < 120; ++i)
        path.push_back({0.04 * i + (i % 2 == 0 ? 0.05 : -0.05), 0.0, 0.0});
    const std::vector<Vec3> spots = followedPath(path, 30.0, 0.5);
    for (std::size_t i = 20; i < 100; ++i)
        EXPECT_NEAR(spots[i].x - spots[i - 1].x, 0.04, 1e-3) << i;
}

TEST(Animation, FramesHaveOneSizeAndOneScale) {
    const auto figuresAt = [](std::size_t i) {
        return std::vector<AnimatedFigure>{
            {.meshes = {box(i == 0 ? 0.5 : 1.0, 0.0)}, .caption = "box"}};
    };
    const std::vector<Raster> frames = framesOf(2, figuresAt, silhouette());
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].width, frames[1].width);
    EXPECT_EQ(frames[0].height, frames[1].height);
    EXPECT_DOUBLE_EQ(frames[0].pixels_per_unit, frames[1].pixels_per_unit);
    EXPECT_NEAR(extentOf(frames[0]).width, 0.5 * frames[0].pixels_per_unit, 1.5);
    EXPECT_NEAR(extentOf(frames[1]).width, frames[1].pixels_per_unit, 1.5);
}

TEST(Animation, FiguresMoveInThePictureAsTheyDoBesideTheirSpot) {
    const auto figuresAt = [](std::size_t i) {
        const double x = 0.4 * static_cast<double>(i);
        return std::vector<AnimatedFigure>{{.meshes = {box(1.0, 5.0 + x)}, .spot = {5.0, 0, 0}}};
    };
    const std::vector<Raster> frames = framesOf(3, figuresAt, silhouette());
    for (std::size_t i = 1; i < 3; ++i)
        EXPECT_NEAR(extentOf(frames[i]).middle - extentOf(frames[i - 1]).middle,
                    0.4 * frames[0].pixels_per_unit, 1.0);
    // Followed, it stays where it is.
    const auto followed = [&](std::size_t i) {
        std::vector<AnimatedFigure> out = figuresAt(i);
        out.front().spot.x = 5.0 + 0.4 * static_cast<double>(i);
        return out;
    };
    const std::vector<Raster> steady = framesOf(3, followed, silhouette());
    EXPECT_EQ(steady[0].pixels, steady[2].pixels);
}

TEST(Animation, LinesOnTheGroundStayWhereTheyAre) {
    for (const View view : {View::ThreeQuarter, View::Side}) {
        ShadedOptions options{.view = view, .height = 160, .ground = false, .grid = 0.5};
        const auto walkingTo = [&](double z) {
            const auto figuresAt = [z](std::size_t) {
                Mesh mesh = box(1.0, 0.0);
                for (Vec3f& p : mesh.positions) p.z += static_cast<float>(z);
                return std::vector<AnimatedFigure>{{.meshes = {mesh}, .spot = {0, 0, z}}};
            };
            return framesOf(1, figuresAt, options).front().pixels;
        };
        const std::vector<Color> here = walkingTo(0.0);
        EXPECT_EQ(walkingTo(2.0), here) << "four lines on, all looks the same";
        EXPECT_NE(walkingTo(2.25), here);
        options.grid = 0.0;
        EXPECT_NE(walkingTo(0.0), here) << "there are no lines to be seen";
    }
}

TEST(Animation, ThatIsCancelledEnds) {
    ShadedOptions options = silhouette();
    options.progress = [](double done) { return done < 0.4; };
    const auto figuresAt = [](std::size_t) {
        return std::vector<AnimatedFigure>{{.meshes = {box(1.0, 0.0)}}};
    };
    std::size_t frames = 0;
    EXPECT_FALSE(drawFrames(10, figuresAt, options, [&](const Raster&) { ++frames; }));
    EXPECT_EQ(frames, 4U);
}

TEST(Animation, DotsAreFilledOrRings) {
    const Color blue{0, 0, 200, 255};
    const auto countWith = [&](bool on) {
        ShadedOptions options{.view = View::Front, .height = 300, .ground = false};
        const Mesh mesh = box(1.0, 0.0);
        const ShadedFigure figure{.meshes = {{mesh}}, .dots = {{blue, on}}};
        const Raster image = drawShaded(std::span(&figure, 1), options);
        return std::count(image.pixels.begin(), image.pixels.end(), blue);
    };
    EXPECT_GT(countWith(true), 20);
    EXPECT_LT(countWith(false), countWith(true) / 2);
}

}  // namespace
}  // namespace ulna::draw
