// SPDX-License-Identifier: Apache-2.0

// WebP files, judged by libwebp's own decoder.
#include "ulna/draw/webp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/webp.h"

namespace ulna::draw {
namespace {

using test::readWebp;
using test::WebpFile;

constexpr Color kPaper = {250, 250, 250, 255};

// A smooth ball of a colour on paper, around `x`.
Raster ball(double x, std::size_t width = 120, std::size_t height = 80) {
    Raster out{width, height, std::vector<Color>(width * height, kPaper)};
    for (std::size_t row = 0; row < height; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
            const double away =
                std::hypot(static_cast<double>(column) - x, static_cast<double>(row) - 40.0);
            const double share = std::clamp(20.5 - away, 0.0, 1.0);
            const double light = 0.5 + 0.5 * std::clamp(1.0 - away / 30.0, 0.0, 1.0);
            const auto mix = [&](double ink, double paper) {
                return static_cast<std::uint8_t>(ink * light * share + paper * (1.0 - share));
            };
            out.pixels[row * width + column] = {mix(40, 250), mix(110, 250), mix(200, 250), 255};
        }
    }
    return out;
}

std::vector<Raster> rollingBall(std::size_t frames) {
    std::vector<Raster> out;
    for (std::size_t i = 0; i < frames; ++i)
        out.push_back(ball(30.0 + 60.0 * static_cast<double>(i) / static_cast<double>(frames)));
    return out;
}

std::string animated(const std::vector<Raster>& frames, const WebpAnimationOptions& options = {}) {
    WebpAnimation film(frames.front().width, frames.front().height, options);
    for (const Raster& frame : frames) film.add(frame);
    return film.finish();
}

double meanDifference(const Raster& a, const Raster& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const Color &p = a.pixels[i], &q = b.pixels[i];
        sum +=
            std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) + std::abs(p.a - q.a);
    }
    return sum / static_cast<double>(4 * a.pixels.size());
}

TEST(Webp, AStillPictureComesBackPixelByPixel) {
    Raster image = ball(50.0);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i].a = static_cast<std::uint8_t>(1 + i % 255);
    const WebpFile file = readWebp(writeWebp(image));
    ASSERT_EQ(file.frames.size(), 1U);
    EXPECT_EQ(file.frames[0].width, image.width);
    EXPECT_EQ(file.frames[0].height, image.height);
    EXPECT_EQ(file.frames[0].pixels, image.pixels);
}

TEST(Webp, AnAnimationShowsItsFramesInOrder) {
    const std::vector<Raster> frames = rollingBall(12);
    const WebpFile file = readWebp(animated(frames));
    ASSERT_EQ(file.frames.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_LT(meanDifference(file.frames[i], frames[i]), 1.0) << "frame " << i;
        // No other frame is as near.
        for (std::size_t k = 0; k < frames.size(); ++k) {
            if (k == i) continue;
            EXPECT_GT(meanDifference(file.frames[i], frames[k]),
                      meanDifference(file.frames[i], frames[i]));
        }
    }
}

TEST(Webp, WhatDoesNotMoveStaysAsItWas) {
    std::vector<Raster> frames = rollingBall(12);
    const WebpFile file = readWebp(animated(frames));
    ASSERT_EQ(file.frames.size(), frames.size());
    // The rows above the ball are paper in every frame, to the bit.
    for (const Raster& frame : file.frames)
        for (std::size_t i = 0; i < frame.width * 12; ++i) ASSERT_EQ(frame.pixels[i], kPaper);
}

TEST(Webp, FramesLastAsLongAsTheirRateSays) {
    const WebpFile file = readWebp(animated(rollingBall(31), {.fps = 30.0}));
    ASSERT_EQ(file.ends.size(), 31U);
    // Whole milliseconds, which do not add up to an error.
    for (std::size_t i = 0; i < file.ends.size(); ++i)
        EXPECT_EQ(file.ends[i], std::lround(static_cast<double>(i + 1) * 1000.0 / 30.0)) << i;
}

TEST(Webp, AnAnimationPlaysAsOftenAsItSays) {
    EXPECT_EQ(readWebp(animated(rollingBall(3))).loops, 0U);
    EXPECT_EQ(readWebp(animated(rollingBall(3), {.loops = 2})).loops, 2U);
}

TEST(Webp, ChangesCostAndStandstillDoesNot) {
    const std::vector<Raster> frames = rollingBall(10);
    const std::vector<Raster> still(10, frames[0]);
    EXPECT_LT(animated(still).size(), animated(frames).size() / 4);
}

TEST(Webp, TheSameFramesGiveTheSameBytes) {
    const std::vector<Raster> frames = rollingBall(5);
    EXPECT_EQ(animated(frames), animated(frames));
    EXPECT_EQ(writeWebp(frames[0]), writeWebp(frames[0]));
}

TEST(Webp, AnAnimationOfOneFrameIsAPicture) {
    const WebpFile file = readWebp(animated({ball(40.0)}));
    ASSERT_EQ(file.frames.size(), 1U);
    EXPECT_LT(meanDifference(file.frames[0], ball(40.0)), 1.0);
}

TEST(Webp, APictureOfOnePixelIsThere) {
    const WebpFile file = readWebp(writeWebp({1, 1, {Color{12, 34, 56, 255}}}));
    ASSERT_EQ(file.frames.size(), 1U);
    EXPECT_EQ(file.frames[0].pixels[0], (Color{12, 34, 56, 255}));
}

TEST(Webp, FramesOfAnotherSizeAndAnEmptyAnimationAreMistakes) {
    WebpAnimation film(120, 80);
    EXPECT_DEATH(film.add(ball(10.0, 100, 80)), "one size");
    EXPECT_DEATH(static_cast<void>(film.finish()), "with a frame");
}

}  // namespace
}  // namespace ulna::draw
