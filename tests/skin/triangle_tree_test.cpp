// SPDX-License-Identifier: Apache-2.0

// The tree is judged by asking every triangle, in another way.
#include "ulna/skin/triangle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/surfaces.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

Vec3 wide(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

// Triangles anywhere, some without area.
Mesh soup(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Mesh mesh;
    for (std::size_t t = 0; t < count; ++t) {
        const Vec3 centre = random.direction() * random.between(0, 1);
        for (std::uint32_t k = 0; k < 3; ++k) {
            const Vec3 p = centre + random.direction() * (t % 10 == 0 ? 0.0 : 0.2);
            mesh.positions.push_back({float(p.x), float(p.y), float(p.z)});
            mesh.indices.push_back(static_cast<std::uint32_t>(mesh.indices.size()));
        }
    }
    return mesh;
}

// The distance to a triangle by a golden-section search along two nested edges: slow, but it knows
// nothing of regions. The distance is convex in both.
double distanceBySearch(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto minimum = [](auto f) {
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 40; ++i) {
            const double left = low + 0.382 * (high - low), right = low + 0.618 * (high - low);
            (f(left) < f(right) ? high : low) = f(left) < f(right) ? right : left;
        }
        return f((low + high) / 2);
    };
    return minimum([&](double s) {
        const Vec3 from = lerp(a, b, s), to = lerp(a, c, s);
        return minimum([&](double t) { return distance(p, lerp(from, to, t)); });
    });
}

TEST(TriangleTree, FindsTheNearestPoint) {
    const Mesh mesh = soup(60, 1);
    const TriangleTree tree(mesh.positions, mesh.indices);
    Random random(2);
    for (int i = 0; i < 40; ++i) {
        const Vec3 p = random.direction() * random.between(0, 2);
        double best = 1e9;
        for (std::size_t t = 0; t < 60; ++t)
            best = std::min(best, distanceBySearch(p, wide(mesh.positions[3 * t]),
                                                   wide(mesh.positions[3 * t + 1]),
                                                   wide(mesh.positions[3 * t + 2])));
        const auto found = tree.nearest(p);
        ASSERT_TRUE(found.has_value());
        EXPECT_NEAR(found->distance, best, 1e-6);
        EXPECT_NEAR(distance(p, found->position), found->distance, 1e-12);
        Vec3 from_corners;
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GE(found->barycentric[k], 0.0);
            from_corners += wide(mesh.positions[3 * found->triangle + k]) * found->barycentric[k];
        }
        EXPECT_LT(distance(from_corners, found->position), 1e-12);
        EXPECT_FALSE(tree.nearest(p, best * 0.99 - 1e-6).has_value());
        EXPECT_TRUE(tree.nearest(p, best * 1.01 + 1e-6).has_value());
    }
}

// Where the segment meets the triangle's plane, judged by the three angles of sight summing to a
// full turn.
bool meetsByAngles(const Vec3& from, const Vec3& to, const Vec3& a, const Vec3& b, const Vec3& c,
                   double& t) {
    const Vec3 normal = cross(b - a, c - a);
    const double start = dot(from - a, normal), end = dot(to - a, normal);
    if (length(normal) == 0.0 || (start > 0) == (end > 0)) return false;
    t = start / (start - end);
    const Vec3 p = lerp(from, to, t);
    const auto angle = [&](const Vec3& u, const Vec3& v) {
        return std::atan2(length(cross(u - p, v - p)), dot(u - p, v - p));
    };
    return angle(a, b) + angle(b, c) + angle(c, a) > 2 * kPi - 1e-6;
}

TEST(TriangleTree, FindsWhatASegmentMeetsFirst) {
    const Mesh mesh = soup(200, 3);
    const TriangleTree tree(mesh.positions, mesh.indices);
    Random random(4);
    int blocked = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 from = random.direction() * random.between(0, 1.5);
        const Vec3 to = random.direction() * random.between(0, 1.5);
        double first = 2.0;
        for (std::size_t k = 0; k < mesh.positions.size(); k += 3) {
            double t = 2.0;
            if (meetsByAngles(from, to, wide(mesh.positions[k]), wide(mesh.positions[k + 1]),
                              wide(mesh.positions[k + 2]), t))
                first = std::min(first, t);
        }
        EXPECT_EQ(tree.blocks(from, to), first <= 1.0);
        EXPECT_NEAR(tree.firstHit(from, to).value_or(2.0), first, 1e-7);
        blocked += first <= 1.0 ? 1 : 0;
    }
    EXPECT_GT(blocked, 200);
    EXPECT_LT(blocked, 1800);
}

TEST(TriangleTree, LetsNoLineSlipThroughAnEdgeOrACorner) {
    const Mesh mesh = test::ball({0, 0, 0}, 1, 10, 16);
    const TriangleTree tree(mesh.positions, mesh.indices);
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const Vec3 a = wide(mesh.positions[mesh.indices[i]]);
        const Vec3 b = wide(mesh.positions[mesh.indices[i + 1]]);
        for (int k = 0; k <= 16; ++k) {
            const Vec3 on_edge = lerp(a, b, k / 16.0);
            EXPECT_TRUE(tree.blocks({0, 0, 0}, on_edge * 2.0));
            EXPECT_TRUE(tree.blocks({0.1, 0.2, -0.1}, on_edge * 2.0 - Vec3{0.1, 0.2, -0.1}));
            EXPECT_FALSE(tree.blocks({0, 0, 0}, on_edge * 0.9));
        }
    }
}

TEST(TriangleTree, OfSomeTrianglesKnowsOnlyThose) {
    const Mesh mesh = test::sheet(2.0, 3);  // 8 triangles
    const TriangleTree tree(mesh.positions, mesh.indices, {0, 1});
    EXPECT_TRUE(tree.blocks({-0.6, -0.6, 1}, {-0.6, -0.6, -1}));
    EXPECT_FALSE(tree.blocks({0.6, 0.6, 1}, {0.6, 0.6, -1}));
    EXPECT_LT(tree.nearest({0.6, 0.6, 0})->triangle, 2U);
}

TEST(TriangleTree, SegmentsWithinAPlaneOrWithoutLengthMeetNothing) {
    const Mesh mesh = test::sheet(2.0, 5);
    const TriangleTree tree(mesh.positions, mesh.indices);
    EXPECT_FALSE(tree.blocks({-3, 0.1, 0}, {3, 0.1, 0}));
    EXPECT_FALSE(tree.blocks({0.1, 0.1, 0}, {0.1, 0.1, 0}));
    EXPECT_TRUE(tree.blocks({0.1, 0.2, 1}, {0.1, 0.2, 0}));  // the end counts
}

TEST(TriangleTree, WithoutTrianglesAnswersNothing) {
    const TriangleTree tree;
    EXPECT_TRUE(tree.empty());
    EXPECT_FALSE(tree.nearest({0, 0, 0}).has_value());
    EXPECT_FALSE(tree.blocks({0, 0, 0}, {1, 1, 1}));
}

TEST(TriangleTree, OfManyTrianglesInOnePlaceAnswersWithTheFirst) {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 100; ++i) mesh.indices.insert(mesh.indices.end(), {0, 1, 2});
    const TriangleTree tree(mesh.positions, mesh.indices);
    EXPECT_EQ(tree.nearest({0.2, 0.2, 1})->triangle, 0U);
    EXPECT_EQ(tree.nearest({0.2, 0.2, 1})->distance, 1.0);
}

}  // namespace
}  // namespace ulna
