// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/mesh.h"

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

Vec3 wide(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

TEST(Normals, OfASpherePointAwayFromItsMiddle) {
    const Mesh mesh = globe(2.0, 60, 90);
    const std::vector<Vec3f> normals = computeNormals(mesh);
    ASSERT_EQ(normals.size(), mesh.positions.size());
    for (std::size_t v = 0; v < normals.size(); ++v) {
        EXPECT_NEAR(length(wide(normals[v])), 1.0, 1e-6);
        // A polyhedron of this many sides differs from the sphere by far less than its angles, 3
        // degrees.
        EXPECT_LT(distance(wide(normals[v]), wide(mesh.positions[v]) / 2.0), 2e-3) << v;
    }
}

TEST(Normals, OfABoxCornerAreTheDiagonalHoweverItsSidesAreCut) {
    // Weighted by angle each side counts the same; by number or area of triangles it would not.
    const Mesh mesh = box({1, 5, 20});
    const std::vector<Vec3f> normals = computeNormals(mesh);
    for (std::size_t v = 0; v < normals.size(); ++v) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double sign = mesh.positions[v][k] > 0.0f ? 1.0 : -1.0;
            EXPECT_NEAR(static_cast<double>(normals[v][k]), sign / std::sqrt(3.0), 1e-6);
        }
    }
}

TEST(Normals, AreSharedByVerticesInOnePlace) {
    const Mesh mesh = decoratedBox();
    const std::vector<Vec3f> normals = computeNormals(mesh);
    for (std::size_t a = 0; a < normals.size(); ++a)
        for (std::size_t b = 0; b < normals.size(); ++b)
            EXPECT_TRUE(mesh.positions[a] != mesh.positions[b] || normals[a] == normals[b]);
}

TEST(Normals, LookPastFlatTriangles) {
    Mesh mesh = square();
    mesh.positions.push_back({0.5f, 0.5f, 0});
    mesh.indices.insert(mesh.indices.end(), {0, 4, 2, 1, 1, 3});
    for (const Vec3f& n : computeNormals(mesh)) EXPECT_TRUE(n == (Vec3f{0, 0, 1}) || n.y == 1.0f);
}

TEST(Normals, WithoutAreaPointUpwards) {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {7, 7, 7}};
    mesh.indices = {0, 1, 2};
    EXPECT_EQ(computeNormals(mesh), std::vector<Vec3f>(4, Vec3f{0, 1, 0}));
}

TEST(Normals, FollowTheWayRoundOfTriangles) {
    Mesh mesh = square();
    for (const Vec3f& n : computeNormals(mesh)) EXPECT_EQ(n, (Vec3f{0, 0, 1}));
    mesh.indices = {2, 1, 0, 3, 2, 0};
    for (const Vec3f& n : computeNormals(mesh)) EXPECT_EQ(n, (Vec3f{0, 0, -1}));
}

TEST(Mesh, ScaledKeepsEverythingThatIsNoLength) {
    Mesh mesh = decoratedBox();
    mesh.tangents.assign(mesh.positions.size(), {{0, 0, 1}, -1.0f});
    const Mesh scaled = scaledMesh(mesh, 100.0);
    EXPECT_EQ(scaled.normals, mesh.normals);
    EXPECT_EQ(scaled.tangents, mesh.tangents);
    EXPECT_EQ(scaled.texcoords, mesh.texcoords);
    EXPECT_EQ(scaled.colors, mesh.colors);
    EXPECT_EQ(scaled.indices, mesh.indices);
    EXPECT_EQ(scaled.positions[5], mesh.positions[5] * 100.0f);
}

TEST(Mesh, TurnedTurnsDirectionsAndKeepsTheRest) {
    Mesh mesh = decoratedBox();
    mesh.tangents.assign(mesh.positions.size(), {{0, 0, 1}, -1.0f});
    const Mesh turned = rotatedMesh(mesh, quatAboutAxis(0, kPi / 2.0));  // y up becomes z up
    EXPECT_EQ(turned.texcoords, mesh.texcoords);
    EXPECT_EQ(turned.colors, mesh.colors);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const auto expect = [](const Vec3f& now, const Vec3f& was) {
            EXPECT_LT(distance(wide(now), Vec3{was.x, -was.z, was.y}), 1e-6);
        };
        expect(turned.positions[v], mesh.positions[v]);
        expect(turned.normals[v], mesh.normals[v]);
        expect(turned.tangents[v].direction, mesh.tangents[v].direction);
        EXPECT_EQ(turned.tangents[v].handedness, -1.0f);
    }
}

TEST(Mesh, WithoutABindIsBoundAtRest) {
    const Skeleton skeleton = everyKind();
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const std::vector<Affine> bind = bindMatrices(skeleton, square());
    ASSERT_EQ(bind.size(), skeleton.jointCount());
    for (std::size_t j = 0; j < bind.size(); ++j) {
        const Vec3 p{0.3, -0.7, 0.2};
        EXPECT_LT(distance(rest.model_from_joint[j] * (bind[j] * p), p), 1e-12);
    }
    Mesh bound = square();
    bound.joint_from_bind.assign(3, Affine{});
    EXPECT_EQ(bindMatrices(skeleton, bound).size(), 3U);
}

}  // namespace
}  // namespace ulna::test
