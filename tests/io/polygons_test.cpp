// SPDX-License-Identifier: Apache-2.0

// Polygons of faces become triangles that cover them, each place once.
#include "ulna/io/detail/polygons.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ulna/math/quat.h"
#include "ulna/math/random.h"

namespace ulna::test {
namespace {

using Points = std::vector<Vec3f>;
using Indices = std::vector<std::uint32_t>;

Vec3 wide(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Indices cut(const Points& polygon) {
    Indices out;
    io::detail::Triangulator().cut(polygon, out);
    return out;
}

// The area vector of a polygon by the shoelace formula.
Vec3 areaOf(const Points& polygon) {
    Vec3 sum;
    for (std::size_t i = 0; i < polygon.size(); ++i)
        sum += cross(wide(polygon[i]), wide(polygon[(i + 1) % polygon.size()])) * 0.5;
    return sum;
}

// Triangles that all face the polygon's way and have its area together overlap nowhere.
void expectCovers(const Points& polygon) {
    const Indices triangles = cut(polygon);
    ASSERT_EQ(triangles.size(), 3 * (polygon.size() - 2));
    const Vec3 whole = areaOf(polygon);
    double sum = 0.0;
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
        const Vec3 part =
            areaOf({polygon[triangles[i]], polygon[triangles[i + 1]], polygon[triangles[i + 2]]});
        EXPECT_GE(dot(part, whole), -1e-6 * dot(whole, whole));
        sum += length(part);
    }
    EXPECT_NEAR(sum, length(whole), 1e-5 * length(whole));
}

TEST(Polygons, ThatAreConvexBecomeAFan) {
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), (Indices{0, 1, 2, 0, 2, 3}));
}

TEST(Polygons, ThatAreConcaveAreCoveredAllTheSame) {
    expectCovers({{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {1, 1, 0}});  // an arrow head
    expectCovers({{1, 1, 0}, {0, 0, 0}, {2, 1, 0}, {0, 2, 0}});
    expectCovers({{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}});  // an L
    // A comb, both ways round.
    Points comb = {{0, 0, 0}, {9, 0, 0}};
    for (int i = 9; i > 0; --i) {
        const auto x = static_cast<float>(i);
        comb.push_back({x, 5, 0});
        comb.push_back({x - 0.5f, 1, 0});
    }
    expectCovers(comb);
    expectCovers(Points(comb.rbegin(), comb.rend()));
}

TEST(Polygons, OfAnyStarLikeShapeInAnyPlaneAreCovered) {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        const Quat turn = random.rotation();
        const Vec3 centre = random.direction() * random.between(0.0, 3.0);
        const std::size_t corners = 4 + random.below(40);
        Points polygon;
        for (std::size_t i = 0; i < corners; ++i) {
            const double angle = 2.0 * kPi * static_cast<double>(i) / static_cast<double>(corners);
            const double r = random.between(0.2, 1.0);
            const Vec3 p =
                centre + rotate(turn, Vec3{r * std::cos(angle), r * std::sin(angle), 0.0});
            polygon.push_back(
                {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        }
        expectCovers(polygon);
    }
}

TEST(Polygons, WithCornersOnAStraightLineAreCovered) {
    expectCovers({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 1, 0}});
}

TEST(Polygons, WithACornerTwiceAreCovered) {
    expectCovers({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    // A square with a square hole, its rims joined by a seam.
    expectCovers({{0, 0, 0},
                  {4, 0, 0},
                  {4, 4, 0},
                  {0, 4, 0},
                  {0, 0, 0},
                  {1, 1, 0},
                  {1, 3, 0},
                  {3, 3, 0},
                  {3, 1, 0},
                  {1, 1, 0}});
}

TEST(Polygons, WithoutAreaStillHaveTheirTriangles) {
    EXPECT_EQ(cut({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}).size(), 9U);
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).size(), 6U);
}

TEST(Polygons, ThatCrossThemselvesStillHaveTheirTriangles) {
    for (const std::uint32_t corner : cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}))
        EXPECT_LT(corner, 4U);
    EXPECT_EQ(cut({{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}, {1, 5, 1}}).size(), 9U);
}

TEST(Polygons, OfVeryManyCornersBecomeAFan) {
    Points circle;
    for (int i = 0; i < 1000; ++i) {
        const double angle = 2.0 * kPi * i / 1000.0;
        circle.push_back(
            {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0.0f});
    }
    expectCovers(circle);
}

}  // namespace
}  // namespace ulna::test
