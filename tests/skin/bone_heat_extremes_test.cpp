// SPDX-License-Identifier: Apache-2.0

// Bone heat on surfaces that no one modelled on purpose: stray triangles, parts of vanishing size,
// thousands of triangles at one edge.
#include <gtest/gtest.h>

#include <cmath>

#include "support/surfaces.h"
#include "support/weights.h"
#include "ulna/math/random.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/check_mesh.h"

namespace ulna {
namespace {

using test::armsDownBody;
using test::armsDownSkeleton;
using test::twoBones;

BoneHeat heat(const Skeleton& skeleton, const Mesh& mesh, const BoneHeatOptions& options = {}) {
    Result<BoneHeat> made = makeBoneHeatWeights(skeleton, mesh, options);
    EXPECT_TRUE(made.ok()) << (made ? "" : describe(made.error()));
    return made ? *std::move(made) : BoneHeat{};
}

void expectSound(const SkinWeights& weights, const Mesh& mesh) {
    ASSERT_EQ(weights.rowCount(), mesh.positions.size());
    for (std::size_t v = 0; v < weights.rowCount(); ++v) test::expectSoundRow(weights[v]);
}

Mesh triangleAt(const Vec3f& corner, float size) {
    Mesh out;
    out.positions = {corner, corner + Vec3f{size, 0, 0}, corner + Vec3f{0, size, 0}};
    out.indices = {0, 1, 2};
    return out;
}

TEST(BoneHeatExtremes, AStrayTriangleChangesNoOtherWeights) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh body = armsDownBody(0.03);
    const BoneHeat alone = heat(skeleton, body);
    for (const float away : {1e4f, 1e10f}) {
        Mesh mesh = body;
        test::append(triangleAt({away, 0, 0}, 1e-3f * away), mesh);
        const BoneHeat made = heat(skeleton, mesh);
        expectSound(made.weights, mesh);
        for (std::size_t v = 0; v < body.positions.size(); ++v) {
            ASSERT_TRUE(std::equal(made.weights[v].begin(), made.weights[v].end(),
                                   alone.weights[v].begin(), alone.weights[v].end()))
                << "vertex " << v << ", the triangle at " << away;
        }
        EXPECT_EQ(made.report.idle, alone.report.idle);
        const auto first = static_cast<std::uint32_t>(body.positions.size());
        EXPECT_EQ(made.report.stray, (std::vector<std::uint32_t>{first, first + 1, first + 2}));
    }
    EXPECT_TRUE(alone.report.stray.empty());
}

TEST(BoneHeatExtremes, AStrayVertexOfTheBodyLeavesTheRestNearlyAsItWas) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh body = armsDownBody(0.03);
    const BoneHeat alone = heat(skeleton, body);
    Mesh mesh = body;
    mesh.positions[100].y = -1e6f;
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh);
    EXPECT_EQ(made.report.stray, std::vector<std::uint32_t>{100});
    EXPECT_EQ(made.report.idle, alone.report.idle);
    std::size_t changed = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        for (const Influence& i : alone.weights[v]) {
            if (std::abs(i.weight - weightOf(made.weights[v], i.joint)) < 0.1f) continue;
            ++changed;
            break;
        }
    }
    EXPECT_LT(changed, mesh.positions.size() / 20);
}

TEST(BoneHeatExtremes, APartOfAnySizeHasWeights) {
    const Skeleton skeleton = twoBones(1.0);
    for (int exponent = -44; exponent <= 17; ++exponent) {
        const auto size = static_cast<float>(std::pow(10.0, exponent));
        Mesh mesh = test::tube(-1, 1, 0.2, 9, 8);
        const std::size_t tube = mesh.positions.size();
        test::append(triangleAt({0.5f, 0.3f, 0}, size), mesh);
        test::append(test::sheet(static_cast<double>(size), 3), mesh);
        if (findFault(mesh)) continue;
        const BoneHeat made = heat(skeleton, mesh);
        expectSound(made.weights, mesh);
        EXPECT_GT(weightOf(made.weights[tube - 1], jointId(1)), 0.9f) << "1e" << exponent;
        if (exponent < -6) {
            EXPECT_EQ(made.weights[tube][0].joint, jointId(1)) << "1e" << exponent;
        }
    }
}

TEST(BoneHeatExtremes, ThousandsOfTrianglesAtOneEdgeHideNothing) {
    // They share the edge along the bones, so that each tip sees them between its two triangles.
    Mesh mesh;
    mesh.positions = {{-1, 0, 0}, {1, 0, 0}};
    constexpr std::uint32_t kTriangles = 20000;
    for (std::uint32_t i = 0; i < kTriangles; ++i) {
        const double angle = 2.0 * kPi * i / kTriangles;
        mesh.positions.push_back(
            {0.5f, static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
        mesh.indices.insert(mesh.indices.end(), {0, 1, 2 + i});
    }
    const BoneHeat made = heat(twoBones(1.0), mesh);
    expectSound(made.weights, mesh);
    EXPECT_TRUE(made.report.hidden.empty());
    EXPECT_TRUE(made.report.loose.empty());
}

TEST(BoneHeatExtremes, AWholeCharacterOfAnySizeHasTheSameWeights) {
    const Mesh mesh = test::tube(-1, 1, 0.2, 21, 8);
    const BoneHeat usual = heat(twoBones(1.0), mesh);
    for (const double scale : {1e-15, 1e-6, 1e6, 1e15}) {
        Mesh scaled = mesh;
        for (Vec3f& p : scaled.positions) p = p * static_cast<float>(scale);
        const BoneHeat made = heat(twoBones(scale), scaled);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
            ASSERT_NEAR(weightOf(made.weights[v], jointId(0)),
                        weightOf(usual.weights[v], jointId(0)), 1e-4)
                << "scale " << scale;
    }
}

TEST(BoneHeatExtremes, RandomTrianglesOfRandomScalesHaveWeights) {
    const Skeleton skeleton = twoBones(1.0);
    Random random(11);
    for (int trial = 0; trial < 300; ++trial) {
        Mesh mesh;
        const std::uint64_t vertices = 3 + random.below(14);
        for (std::uint64_t v = 0; v < vertices; ++v) {
            const double scale = std::pow(10.0, random.between(-40.0, 17.0));
            const Vec3 at = random.direction() * scale;
            mesh.positions.push_back(
                {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
        }
        for (int corner = 0; corner < 24; ++corner)
            mesh.indices.push_back(static_cast<std::uint32_t>(random.below(vertices)));
        for (const double stiffness :
             {BoneHeatOptions::kLeastStiffness, 1.0, BoneHeatOptions::kMostStiffness}) {
            const Result<BoneHeat> made =
                makeBoneHeatWeights(skeleton, mesh, {.stiffness = stiffness});
            if (!made) continue;  // a range too large for floating point, said so
            expectSound(made->weights, mesh);
        }
    }
}

}  // namespace
}  // namespace ulna
