// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/bone_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/skeletons.h"
#include "ulna/math/scalar.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

Mesh meshOf(const Skeleton& s) {
    return makeBoneMesh(s, computeModelPose(s, restPose(s)));
}

Vec3 at(const Mesh& mesh, std::size_t vertex) {
    const Vec3f& p = mesh.positions[vertex];
    return {p.x, p.y, p.z};
}

// By the divergence theorem; positive where the triangles face outwards.
double volumeOf(const Mesh& mesh) {
    double out = 0.0;
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        const Vec3 a = at(mesh, mesh.indices[t]);
        const Vec3 b = at(mesh, mesh.indices[t + 1]);
        const Vec3 c = at(mesh, mesh.indices[t + 2]);
        out += dot(a, cross(b, c)) / 6.0;
    }
    return out;
}

Skeleton oneBone(double from, double to) {
    JointDef root = test::joint("a", "", JointKind::Ball, {3, 2, 5});
    JointDef end = test::joint("b", "a", JointKind::Ball, {0, 1, 0});
    root.radius = from;
    end.radius = to;
    return test::build({root, end});
}

TEST(BoneMesh, IsTwoBallsAndTheConeBetweenThem) {
    const double from = 0.2, to = 0.1;
    const Mesh mesh = meshOf(oneBone(from, to));
    const Vec3 start{0, 2, 0};  // above the origin, at its own height
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3 p = at(mesh, i) - start;
        // The nearest of the balls that sweep the bone: their centres and radii go together.
        double nearest = 1e9;
        for (int k = 0; k <= 1000; ++k) {
            const double t = k / 1000.0;
            nearest = std::min(nearest, distance(p, {0, t, 0}) - (from + (to - from) * t));
        }
        EXPECT_NEAR(nearest, 0.0, 1e-5);
    }
    // The frustum between the circles of contact, and the parts of the balls beyond them.
    const double lean = std::asin(from - to);
    const auto cap = [](double r, double h) { return kPi * h * h * (3.0 * r - h) / 3.0; };
    const double low = from * std::cos(lean), high = to * std::cos(lean);
    const double height = 1.0 + (to - from) * std::sin(lean);
    const double exact = kPi * height * (low * low + low * high + high * high) / 3.0 +
                         cap(from, from * (1.0 + std::sin(lean))) +
                         cap(to, to * (1.0 - std::sin(lean)));
    EXPECT_NEAR(volumeOf(mesh) / exact, 1.0, 0.05);
    EXPECT_LT(volumeOf(mesh), exact) << "corners lie on the surface";
}

TEST(BoneMesh, ABallInsideAnotherIsNotSeen) {
    const Mesh mesh = meshOf(oneBone(2.0, 0.1));
    EXPECT_NEAR(volumeOf(mesh) / (4.0 / 3.0 * kPi * 8.0), 1.0, 0.08);
}

TEST(BoneMesh, HasTheColoursThatItsLegendNames) {
    const Skeleton s = test::build({test::joint("Hips", "", JointKind::Free, {}),
                                    test::joint("Spine", "Hips", JointKind::Ball, {0, 1, 0}),
                                    test::joint("LeftLeg", "Hips", JointKind::Ball, {1, 0, 0}),
                                    test::joint("RightLeg", "Hips", JointKind::Ball, {-1, 0, 0})});
    const std::vector<LegendColor> legend = boneColors(s);
    ASSERT_EQ(legend.size(), 3U);
    for (const Color& color : meshOf(s).colors)
        EXPECT_TRUE(std::any_of(legend.begin(), legend.end(),
                                [&](const LegendColor& entry) { return entry.color == color; }));
    EXPECT_TRUE(boneColors(oneBone(1, 1)).empty()) << "one colour needs no legend";
}

TEST(BoneMesh, ALoneJointIsABallAndNoJointsAreNothing) {
    EXPECT_GT(volumeOf(meshOf(test::build({test::joint("a", "", JointKind::Ball, {})}))), 0.0);
    EXPECT_TRUE(makeBoneMesh(test::build({}), ModelPose{}).positions.empty());
}

}  // namespace
}  // namespace ulna::draw
