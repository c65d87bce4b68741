// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/shaded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/png.h"
#include "support/skeletons.h"
#include "ulna/math/scalar.h"

namespace ulna::draw {
namespace {

Mesh sphere(double radius, const Vec3& middle = {}) {
    constexpr std::uint32_t kRings = 32, kSides = 64;
    Mesh out;
    for (std::uint32_t i = 0; i <= kRings; ++i) {
        for (std::uint32_t k = 0; k < kSides; ++k) {
            const double a = kPi * i / kRings, b = kTwoPi * k / kSides;
            const Vec3 d{std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b)};
            out.positions.push_back(cast<float>(middle + d * radius));
        }
    }
    for (std::uint32_t i = 0; i < kRings; ++i) {
        for (std::uint32_t k = 0; k < kSides; ++k) {
            const std::uint32_t next = (k + 1) % kSides;
            const std::uint32_t a = i * kSides + k, b = i * kSides + next;
            for (const std::uint32_t c : {a, b, b + kSides, a, b + kSides, a + kSides})
                out.indices.push_back(c);
        }
    }
    return out;
}

// A square of the xy plane that faces +z.
Mesh square(double side, double z, const Color& color) {
    const auto s = static_cast<float>(side / 2.0), d = static_cast<float>(z);
    Mesh out;
    out.positions = {{-s, -s, d}, {s, -s, d}, {s, s, d}, {-s, s, d}};
    out.indices = {0, 1, 2, 0, 2, 3};
    out.colors.assign(4, color);
    return out;
}

constexpr Color kSeeThrough = {0, 0, 0, 0};

ShadedOptions silhouette(std::size_t height = 200) {
    return {.view = View::Front, .height = height, .background = kSeeThrough, .ground = false};
}

Raster drawOne(const Mesh& mesh, const ShadedOptions& options) {
    const ShadedFigure figure{{{mesh}}, ""};
    return drawShaded(std::span(&figure, 1), options);
}

const Color& at(const Raster& image, std::size_t x, std::size_t y) {
    return image.pixels[y * image.width + x];
}
const Color& middleOf(const Raster& image) {
    return at(image, image.width / 2, image.height / 2);
}

// Area, middle and extent of what is not see-through, from the columns [begin, end).
struct Shape {
    double area = 0.0;
    Vec2 middle = {};
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
};
Shape shapeOf(const Raster& image, std::size_t begin, std::size_t end) {
    Shape out;
    for (std::size_t y = 0; y < image.height; ++y) {
        for (std::size_t x = begin; x < end; ++x) {
            const double share = at(image, x, y).a / 255.0;
            const double px = static_cast<double>(x) + 0.5, py = static_cast<double>(y) + 0.5;
            if (share <= 0.0) continue;
            out.area += share;
            out.middle += Vec2{px, py} * share;
            out.left = std::min(out.left, px - 0.5);
            out.right = std::max(out.right, px + 0.5);
            out.top = std::min(out.top, py - 0.5);
            out.bottom = std::max(out.bottom, py + 0.5);
        }
    }
    out.middle = out.middle * (1.0 / out.area);
    return out;
}
Shape shapeOf(const Raster& image) {
    return shapeOf(image, 0, image.width);
}

double luminance(const Color& color) {
    const auto linear = [](double v) {
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.r / 255.0) + 0.7152 * linear(color.g / 255.0) +
           0.0722 * linear(color.b / 255.0);
}

// ---- shapes

TEST(Shaded, ASphereIsADiscInTheMiddleFromEverySide) {
    for (const View view : {View::Front, View::Side, View::ThreeQuarter}) {
        ShadedOptions options = silhouette();
        options.view = view;
        const Raster image = drawOne(sphere(3.0, {5, -7, 11}), options);
        const Shape shape = shapeOf(image);
        const double wide = shape.right - shape.left, tall = shape.bottom - shape.top;
        EXPECT_NEAR(wide, tall, 1.5);
        EXPECT_GT(tall, 150.0);
        // The rim's pixels are only touched, so the extent is up to two pixels too large.
        EXPECT_NEAR(std::sqrt(shape.area * 4.0 / kPi), (wide + tall) / 2.0, 1.5);
        EXPECT_NEAR(shape.middle.x, static_cast<double>(image.width) / 2.0, 0.1);
        EXPECT_NEAR(shape.middle.y, static_cast<double>(image.height) / 2.0, 0.1);
    }
}

TEST(Shaded, EdgesAreSmooth) {
    const Raster image = drawOne(sphere(1.0), silhouette());
    const auto partly = std::count_if(image.pixels.begin(), image.pixels.end(),
                                      [](const Color& c) { return c.a > 0 && c.a < 255; });
    // A circle crosses about 8/pi of its radius in pixels per quarter.
    EXPECT_GT(partly, 400);
    EXPECT_LT(partly, 1200);
}

TEST(Shaded, FiguresOfAStripHaveOneScaleAndOneGround) {
    const Mesh small = sphere(1.0, {40, 1, 3}), large = sphere(2.0, {0, 2, 0});
    const std::vector<ShadedFigure> figures = {{{{small}}, ""}, {{{large}}, ""}};
    const Raster image = drawShaded(figures, silhouette());
    const Shape left = shapeOf(image, 0, image.width / 2);
    const Shape right = shapeOf(image, image.width / 2, image.width);
    EXPECT_NEAR(right.area / left.area, 4.0, 0.05);
    EXPECT_NEAR(left.bottom, right.bottom, 1.0);
    EXPECT_NEAR(left.middle.x, static_cast<double>(image.width) / 4.0, 0.1);
    EXPECT_NEAR(right.middle.x, static_cast<double>(image.width) * 0.75, 0.1);
}

TEST(Shaded, WithZUpZIsUp) {
    Mesh tower = sphere(1.0);
    for (Vec3f& p : tower.positions) p.z *= 3.0f;
    ShadedOptions options = silhouette();
    options.up = UpAxis::Z;
    const Shape shape = shapeOf(drawOne(tower, options));
    EXPECT_NEAR((shape.bottom - shape.top) / (shape.right - shape.left), 3.0, 0.15);
}

TEST(Shaded, AMirroredMeshGivesAMirroredOutline) {
    Mesh mesh = sphere(1.0);
    for (Vec3f& p : mesh.positions)
        p.x *= p.y > 0.3f ? 1.0f + p.y * (p.x > 0.0f ? 1.0f : 0.2f) : 1.0f;
    Mesh mirrored = mesh;
    for (Vec3f& p : mirrored.positions) p.x = -p.x;
    const Raster a = drawOne(mesh, silhouette()), b = drawOne(mirrored, silhouette());
    ASSERT_EQ(a.width, b.width);
    double difference = 0.0;
    for (std::size_t y = 0; y < a.height; ++y) {
        for (std::size_t x = 0; x < a.width; ++x)
            difference += std::abs(at(a, x, y).a - at(b, a.width - 1 - x, y).a) / 255.0;
    }
    EXPECT_LT(difference, 0.005 * shapeOf(a).area);
    EXPECT_GT(std::abs(shapeOf(a).middle.x - shapeOf(b).middle.x), 5.0);
}

// ---- what is seen

TEST(Shaded, TheNearerSurfaceIsSeenInAnyOrder) {
    const Mesh red = square(1.0, 0.5, {220, 30, 30, 255}),
               blue = square(2.0, -0.5, {30, 30, 220, 255});
    for (const bool red_first : {true, false}) {
        const ShadedFigure figure{red_first ? std::vector<ShadedMesh>{{red}, {blue}}
                                            : std::vector<ShadedMesh>{{blue}, {red}},
                                  ""};
        const Raster image = drawShaded(std::span(&figure, 1), silhouette());
        const Color centre = middleOf(image);
        const Color corner = at(image, image.width / 2, image.height / 8);
        EXPECT_GT(centre.r, centre.b + 100);
        EXPECT_GT(corner.b, corner.r + 100);
    }
}

TEST(Shaded, AFlatSurfaceThatFacesTheViewerHasOneColourLikeItsOwn) {
    const Color own{150, 120, 60, 255};
    const Raster image = drawOne(square(1.0, 0.0, own), silhouette());
    const Color seen = middleOf(image);
    EXPECT_NEAR(seen.r, own.r, 40);
    EXPECT_NEAR(seen.g, own.g, 40);
    EXPECT_NEAR(seen.b, own.b, 40);
    EXPECT_GT(seen.r, seen.g);
    EXPECT_GT(seen.g, seen.b);
    for (const std::size_t x : {40UL, 90UL, 140UL}) {
        for (const std::size_t y : {40UL, 90UL, 140UL}) EXPECT_EQ(at(image, x, y), seen);
    }
}

TEST(Shaded, ColoursRunFromCornerToCorner) {
    Mesh mesh = square(1.0, 0.0, {});
    mesh.colors = {
        {20, 20, 20, 255}, {230, 230, 230, 255}, {230, 230, 230, 255}, {20, 20, 20, 255}};
    const Raster image = drawOne(mesh, silhouette());
    for (std::size_t x = 40; x < 150; x += 10)
        EXPECT_LT(at(image, x, 100).r, at(image, x + 10, 100).r);
}

TEST(Shaded, AnOpenSurfaceIsTheSameFromItsOtherSide) {
    Mesh mesh = square(1.0, 0.0, {200, 180, 160, 255});
    const Raster front = drawOne(mesh, silhouette());
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        std::swap(mesh.indices[i], mesh.indices[i + 1]);
    EXPECT_EQ(middleOf(drawOne(mesh, silhouette())), middleOf(front));
}

TEST(Shaded, LightComesFromAboveAndLeft) {
    const Raster image = drawOne(sphere(1.0), silhouette());
    const std::size_t w = image.width, h = image.height;
    EXPECT_GT(luminance(at(image, w / 3, h / 3)), luminance(at(image, 2 * w / 3, 2 * h / 3)) * 1.3);
}

TEST(Shaded, WhatIsHiddenFromTheLightsIsDarker) {
    // A square seen between two blinds that stand towards the viewer, left and above.
    const Mesh open = square(2.0, 0.0, {200, 200, 200, 255});
    Mesh boxed = open;
    boxed.positions.insert(
        boxed.positions.end(),
        {{-1, -1, 0}, {-1, -1, 2}, {-1, 1, 2}, {-1, 1, 0}, {1, 1, 2}, {1, 1, 0}});
    boxed.indices.insert(boxed.indices.end(), {4, 5, 6, 4, 6, 7, 7, 6, 8, 7, 8, 9});
    boxed.colors.clear();
    const Mesh plain = [&] {
        Mesh out = open;
        out.colors.clear();
        return out;
    }();
    EXPECT_LT(luminance(middleOf(drawOne(boxed, silhouette()))),
              luminance(middleOf(drawOne(plain, silhouette()))) * 0.8);
}

TEST(Shaded, TheShadowLiesBelowTheFigureAndNowhereElse) {
    for (const View view : {View::Front, View::ThreeQuarter}) {
        const Color paper{240, 240, 240, 255};
        const Raster image =
            drawOne(sphere(1.0), {.view = view, .height = 200, .background = paper});
        const Raster without = drawOne(
            sphere(1.0), {.view = view, .height = 200, .background = paper, .ground = false});
        double dark_below = 0.0, dark_above = 0.0;
        for (std::size_t y = 0; y < image.height; ++y) {
            for (std::size_t x = 0; x < image.width; ++x) {
                const double darker = luminance(at(without, x, y)) - luminance(at(image, x, y));
                EXPECT_GE(darker, -1e-9);
                (y > image.height * 6 / 10 ? dark_below : dark_above) += darker;
            }
        }
        EXPECT_GT(dark_below, 20.0);
        EXPECT_LT(dark_above, 0.02 * dark_below);
        EXPECT_EQ(at(image, 0, 0), paper);
    }
}

TEST(Shaded, ASeeThroughBackgroundStaysSo) {
    const Raster image = drawOne(
        sphere(1.0), {.view = View::ThreeQuarter, .height = 120, .background = kSeeThrough});
    EXPECT_EQ(at(image, 0, 0), kSeeThrough);
    EXPECT_EQ(middleOf(image).a, 255);
    // The shadow is black of some alpha.
    const Color below = at(image, image.width / 2, image.height - 6);
    EXPECT_GT(below.a, 10);
    EXPECT_EQ(below.r, 0);
}

// ---- every input gives a picture

TEST(Shaded, TheSameBytesWithAnyNumberOfThreads) {
    const Mesh mesh = sphere(1.0);
    ShadedOptions options{.height = 150};
    const Raster one = drawOne(mesh, options);
    options.threads = 3;
    EXPECT_EQ(one.pixels, drawOne(mesh, options).pixels);
}

TEST(Shaded, NothingToDrawGivesAPictureThatSaysSo) {
    const Mesh empty, loose = [] {
        Mesh out;
        out.positions = {{0, 0, 0}, {1, 1, 1}};
        return out;
    }();
    const std::vector<ShadedFigure> cases = {{{}, ""}, {{{empty}}, ""}, {{{loose}}, "loose"}};
    const auto says = [](const Raster& image) {
        return std::any_of(image.pixels.begin(), image.pixels.end(),
                           [](const Color& c) { return c.r < 150 && c.a == 255; });
    };
    EXPECT_TRUE(says(drawShaded({}, {.height = 200})));
    for (const ShadedFigure& figure : cases)
        EXPECT_TRUE(says(drawShaded(std::span(&figure, 1), {.height = 200})));
}

TEST(Shaded, TrianglesWithoutAreaAreNotSeen) {
    Mesh mesh = square(1.0, 0.0, {200, 200, 200, 255});
    const Raster clean = drawOne(mesh, silhouette());
    mesh.indices.insert(mesh.indices.end(), {0, 0, 1, 2, 2, 2, 0, 2, 0});
    EXPECT_EQ(drawOne(mesh, silhouette()).pixels, clean.pixels);
}

TEST(Shaded, AMeshWithoutExtentGivesAnEmptyPicture) {
    Mesh point;
    point.positions.assign(3, {2, 3, 4});
    point.indices = {0, 1, 2};
    const Raster image = drawOne(point, silhouette());
    EXPECT_GT(image.width, 0U);
    EXPECT_EQ(image.height, 200U);
    for (const Color& c : image.pixels) EXPECT_EQ(c, kSeeThrough);
    // On the ground, with its lamps and shadows, it is as little.
    EXPECT_GT(drawOne(point, {.height = 200}).width, 0U);
}

TEST(Shaded, HugeAndTinyMeshesLookLikeOthers) {
    const Raster plain = drawOne(sphere(1.0), silhouette(64));
    for (const double radius : {1e-20, 1e37}) {
        const Raster image = drawOne(sphere(radius), silhouette(64));
        ASSERT_EQ(image.width, plain.width) << radius;
        EXPECT_NEAR(shapeOf(image).area, shapeOf(plain).area, 0.01 * shapeOf(plain).area) << radius;
    }
}

TEST(Shaded, APictureIsNeverTooWideToOpen) {
    Mesh plank = square(1.0, 0.0, {200, 200, 200, 255});
    for (Vec3f& p : plank.positions) p.x *= 40.0f;
    const std::vector<ShadedFigure> figures(40, ShadedFigure{{{plank}}, ""});
    const Raster image = drawShaded(figures, silhouette(400));
    EXPECT_LE(image.width, 32768U);
    EXPECT_GT(image.width, 30000U);
    EXPECT_LT(image.height, 400U);
    EXPECT_EQ(image.pixels.size(), image.width * image.height);
}

// ---- words

TEST(Shaded, CaptionsStandBelowTheirFiguresInsideThePicture) {
    const Mesh mesh = sphere(1.0);
    const std::string endless(300, 'W');
    const std::vector<ShadedFigure> figures = {{{{mesh}}, "frame 12"}, {{{mesh}}, endless}};
    const ShadedOptions options{.view = View::Front, .height = 300, .ground = false};
    const Raster image = drawShaded(figures, options);
    const std::size_t half = image.width / 2;
    std::size_t ink_left = 0, ink_right = 0;
    for (std::size_t y = image.height * 93 / 100; y < image.height; ++y) {
        for (std::size_t x = 0; x < image.width; ++x) {
            if (at(image, x, y) == options.background) continue;
            (x < half ? ink_left : ink_right) += 1;
            EXPECT_GT(x % half, 0U);
            EXPECT_LT(x % half, half - 1);
            EXPECT_LT(y, image.height - 1);
        }
    }
    EXPECT_GT(ink_left, 60U);
    EXPECT_GT(ink_right, ink_left);
}

TEST(Shaded, EveryAsciiCharacterButSpaceLeavesAMarkOfItsOwn) {
    Mesh mesh;  // four specks far apart: quick to draw
    for (const Vec3f& corner : square(1.0, 0.0, {}).positions) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vec3f& d : {Vec3f{}, Vec3f{0.01f, 0, 0}, Vec3f{0, 0.01f, 0}})
            mesh.positions.push_back(corner + d);
        mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2});
    }
    std::vector<ShadedFigure> figures;
    for (char c = 32; c < 127; ++c) figures.push_back({{{mesh}}, std::string(3, c)});
    const Raster image = drawShaded(figures, {.view = View::Front, .height = 300, .ground = false});
    const std::size_t cell = image.width / figures.size();
    std::vector<std::vector<int>> seen(figures.size());
    for (std::size_t y = image.height * 94 / 100; y < image.height; ++y) {
        for (std::size_t x = 0; x < image.width; ++x) seen[x / cell].push_back(at(image, x, y).r);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Shaded, FiguresThatDifferInColourOnlyAreAsIfDrawnAlone) {
    const Mesh red = square(1.0, 0.0, {220, 60, 60, 255}),
               blue = square(1.0, 0.0, {60, 60, 220, 255});
    const std::vector<ShadedFigure> figures = {{{{red}}, ""}, {{{blue}}, ""}};
    const Raster both = drawShaded(figures, silhouette()), alone = drawOne(blue, silhouette());
    ASSERT_EQ(both.width, 2 * alone.width);
    for (std::size_t y = 0; y < both.height; y += 7) {
        for (std::size_t x = 0; x < alone.width; x += 3)
            EXPECT_EQ(at(both, alone.width + x, y), at(alone, x, y));
    }
}

TEST(StackImages, PutsThemOneBelowTheOther) {
    const Color red{200, 0, 0, 255}, blue{0, 0, 200, 255}, paper{9, 9, 9, 255};
    const std::vector<Raster> images = {{2, 1, {red, red}}, {1, 2, {blue, blue}}};
    const Raster image = stackRasters(images, paper);
    EXPECT_EQ(image.width, 2U);
    EXPECT_EQ(image.height, 3U);
    EXPECT_EQ(image.pixels, (std::vector<Color>{red, red, blue, paper, blue, paper}));
    EXPECT_TRUE(stackRasters({}, paper).pixels.empty());
}

// ---- colours and files

TEST(WeightColor, GrowsLighterAllTheWayFromZeroToOne) {
    double before = 0.0;
    for (int i = 0; i <= 100; ++i) {
        const double now = luminance(weightColor(static_cast<float>(i) / 100.0f));
        EXPECT_GT(now, before) << i;
        before = now;
    }
    EXPECT_GT(luminance(weightColor(1.0f)), 5.0 * luminance(weightColor(0.0f)));
    EXPECT_EQ(weightColor(-1.0f), weightColor(0.0f));
    EXPECT_EQ(weightColor(7.0f), weightColor(1.0f));
}

TEST(WeightColors, AreThoseOfEachVertex) {
    SkinWeights weights;
    weights.addRow(std::vector<Influence>{{jointId(1), 0.75f}, {jointId(0), 0.25f}});
    weights.addRow({});
    const std::vector<Color> colors = weightColors(weights, jointId(1));
    ASSERT_EQ(colors.size(), 2U);
    EXPECT_EQ(colors[0], weightColor(0.75f));
    EXPECT_EQ(colors[1], weightColor(0.0f));
    EXPECT_TRUE(weightColors({}, jointId(0)).empty());
}

TEST(JointColors, TellJointsApartAndMixThem) {
    const Skeleton arm = test::build({test::joint("A", "", JointKind::Free, {}),
                                      test::joint("B", "A", JointKind::Ball, {0, 1, 0}),
                                      test::joint("C", "B", JointKind::Ball, {0, 1, 0})});
    SkinWeights weights;
    for (const std::size_t j : {0UL, 1UL, 2UL})
        weights.addRow(std::vector<Influence>{{jointId(j), 1.0f}});
    weights.addRow(std::vector<Influence>{{jointId(0), 0.5f}, {jointId(1), 0.5f}});
    weights.addRow({});
    const std::vector<Color> c = jointColors(arm, weights);
    ASSERT_EQ(c.size(), 5U);
    EXPECT_NE(c[0], c[1]);
    EXPECT_NE(c[1], c[2]);
    EXPECT_NE(c[0], c[2]);
    EXPECT_NEAR(luminance(c[3]), (luminance(c[0]) + luminance(c[1])) / 2.0, 0.01);
    EXPECT_EQ(c[4].r, c[4].g);  // nothing moves it: grey
    EXPECT_EQ(c[4].g, c[4].b);
}

TEST(Png, HoldsEveryPixelAsOtherProgramsReadIt) {
    for (const bool opaque : {true, false}) {
        Raster image{37, 23, {}};
        for (std::size_t i = 0; i < image.width * image.height; ++i) {
            const auto byte = [](std::size_t v) { return static_cast<std::uint8_t>(v % 256); };
            image.pixels.push_back(
                {byte(i), byte(3 * i), byte(7 * i + 5), opaque ? std::uint8_t{255} : byte(11 * i)});
        }
        const std::string bytes = writePng(image);
        EXPECT_EQ(bytes, writePng(image));
        const Raster read = test::readPng(bytes);
        EXPECT_EQ(read.width, image.width);
        EXPECT_EQ(read.height, image.height);
        EXPECT_EQ(read.pixels, image.pixels);
    }
}

}  // namespace
}  // namespace ulna::draw
