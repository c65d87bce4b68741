// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/primitive_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "ulna/skin/check_mesh.h"

namespace ulna {
namespace {

Vec3 wide(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// By the divergence theorem; positive where triangles are counter-clockwise from outside.
double volumeOf(const Mesh& mesh) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const Vec3 a = wide(mesh.positions[mesh.indices[i]]);
        const Vec3 b = wide(mesh.positions[mesh.indices[i + 1]]);
        const Vec3 c = wide(mesh.positions[mesh.indices[i + 2]]);
        sum += dot(a, cross(b, c)) / 6.0;
    }
    return sum;
}

// Every edge between positions is passed once each way.
void expectClosed(const Mesh& mesh) {
    using Point = std::array<float, 3>;
    std::map<std::pair<Point, Point>, int> edges;
    const auto at = [&](std::size_t corner) {
        const Vec3f& p = mesh.positions[mesh.indices[corner]];
        return Point{p.x + 0.0F, p.y + 0.0F, p.z + 0.0F};  // -0 is 0
    };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Point a = at(i + k), b = at(i + (k + 1) % 3);
            if (a < b) ++edges[{a, b}];
            if (b < a) --edges[{b, a}];
        }
    }
    for (const auto& [edge, count] : edges) EXPECT_EQ(count, 0);
}

constexpr double kPrecise = 1e-6;  // of float

TEST(PrimitiveMesh, OfABoxHasItsVolumeAndSixFlatFaces) {
    const Mesh mesh = makePrimitiveMesh({PrimitiveKind::Box, {1, 2, 3}});
    EXPECT_EQ(mesh.positions.size(), 24U);
    EXPECT_NEAR(volumeOf(mesh), 48.0, 48 * kPrecise);
    expectClosed(mesh);
    for (std::size_t i = 0; i < 24; ++i)
        EXPECT_GT(dot(wide(mesh.normals[i]), wide(mesh.positions[i])), 0.9);
}

TEST(PrimitiveMesh, IsClosedAndHasTheVolumeOfItsShapeInTheLimit) {
    struct Expected {
        Primitive primitive;
        double volume;
    };
    const double r = 0.5, h = 0.75;
    for (const Expected& each :
         {Expected{{PrimitiveKind::Ellipsoid, {1, 2, 3}}, 4.0 / 3.0 * kPi * 6.0},
          Expected{{PrimitiveKind::Capsule, {r, r, h}},
                   4.0 / 3.0 * kPi * r * r * r + kPi * r * r * 2 * h},
          Expected{{PrimitiveKind::Cylinder, {r, r, h}}, kPi * r * r * 2 * h}}) {
        for (const std::size_t segments : {std::size_t{3}, std::size_t{7}, std::size_t{20}}) {
            const Mesh mesh = makePrimitiveMesh(each.primitive, {.segments = segments});
            EXPECT_TRUE(checkMesh(mesh).ok());
            expectClosed(mesh);
            EXPECT_GT(volumeOf(mesh), 0.0);
            EXPECT_LT(volumeOf(mesh), each.volume);
        }
        // The error of polygons falls with the square of their number of corners.
        const double coarse =
            each.volume - volumeOf(makePrimitiveMesh(each.primitive, {.segments = 20}));
        const double fine =
            each.volume - volumeOf(makePrimitiveMesh(each.primitive, {.segments = 80}));
        EXPECT_NEAR(coarse / fine, 16.0, 0.5);
        EXPECT_LT(fine, 0.004 * each.volume);
    }
}

TEST(PrimitiveMesh, HasItsVerticesOnTheSurfaceAndNormalsPerpendicularToIt) {
    const Vec3 radii = {1, 2, 3};
    const Mesh mesh = makePrimitiveMesh({PrimitiveKind::Ellipsoid, radii});
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3 p = wide(mesh.positions[i]);
        const Vec3 unit = {p.x / radii.x, p.y / radii.y, p.z / radii.z};
        EXPECT_NEAR(length(unit), 1.0, kPrecise);
        const Vec3 gradient = {unit.x / radii.x, unit.y / radii.y, unit.z / radii.z};
        EXPECT_LT(distance(wide(mesh.normals[i]), gradient / length(gradient)), 1e-5);
    }
}

TEST(PrimitiveMesh, TouchesItsFourSidesExactly) {
    const Mesh mesh = makePrimitiveMesh({PrimitiveKind::Capsule, {0.5, 0.5, 1}});
    Vec3 most;
    for (const Vec3f& p : mesh.positions)
        for (std::size_t k = 0; k < 3; ++k) most[k] = std::max(most[k], static_cast<double>(p[k]));
    EXPECT_EQ(most, (Vec3{0.5, 0.5, 1.5}));
}

TEST(PrimitiveMesh, OfACapsuleWithoutLengthIsABall) {
    const Mesh mesh = makePrimitiveMesh({PrimitiveKind::Capsule, {0.5, 0.5, 0}});
    for (const Vec3f& p : mesh.positions) EXPECT_NEAR(length(wide(p)), 0.5, kPrecise);
    expectClosed(mesh);
}

}  // namespace
}  // namespace ulna
