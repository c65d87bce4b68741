// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/paint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/surfaces.h"
#include "support/weights.h"

namespace ulna {
namespace {

using test::expectSoundRow;

constexpr JointId kA = JointId{0}, kB = JointId{1}, kC = JointId{2};

// A sheet of 3 by 3 vertices with one row everywhere.
struct Canvas {
    Mesh mesh = test::sheet(1.0, 3);
    MeshTopology topology = computeTopology(mesh);
    SkinWeights weights = {};

    explicit Canvas(const std::vector<Influence>& row) {
        for (std::size_t v = 0; v < 9; ++v) weights.addRow(row);
    }
    void dab(JointId joint, std::uint32_t vertex, float strength, const PaintOptions& options) {
        const std::vector<Dab> dabs = {{vertex, strength}};
        paint(topology, joint, dabs, options, weights);
    }
};

TEST(Paint, AddsWhatOthersLoseInProportion) {
    Canvas canvas({{kA, 0.5f}, {kB, 0.25f}, {kC, 0.25f}});
    canvas.dab(kA, 4, 0.25f, {.mode = PaintMode::Add});
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.75f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kB), 0.125f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kC), 0.125f);
    EXPECT_EQ(weightOf(canvas.weights[3], kA), 0.5f);  // no dab, no change
}

TEST(Paint, SubtractsToTheOthers) {
    Canvas canvas({{kA, 0.5f}, {kB, 0.375f}, {kC, 0.125f}});
    canvas.dab(kA, 4, 0.25f, {.mode = PaintMode::Subtract});
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.25f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kB), 0.5625f);
    canvas.dab(kA, 4, 1.0f, {.mode = PaintMode::Subtract});
    EXPECT_EQ(weightOf(canvas.weights[4], kA), 0.0f);
    expectSoundRow(canvas.weights[4]);
}

TEST(Paint, ReplacesByAsMuchAsTheStrength) {
    Canvas canvas({{kA, 0.5f}, {kB, 0.5f}});
    canvas.dab(kA, 4, 0.5f, {.mode = PaintMode::Replace, .value = 0.1f});
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.3f);
    canvas.dab(kC, 4, 1.0f, {.mode = PaintMode::Replace, .value = 0.2f});
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kC), 0.2f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.3f * 0.8f);
}

TEST(Paint, SmoothsTowardsTheNeighboursAsTheyWere) {
    Canvas canvas({{kA, 0.5f}, {kB, 0.5f}});
    canvas.dab(kA, 4, 1.0f, {.mode = PaintMode::Replace, .value = 1.0f});
    std::vector<Dab> all;
    for (std::uint32_t v = 0; v < 9; ++v) all.push_back({v, 0.5f});
    paint(canvas.topology, kA, all, {.mode = PaintMode::Smooth}, canvas.weights);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.75f);
    // The corner does not touch the middle; beside it the middle is one of four neighbours.
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[0], kA), 0.5f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[1], kA), 0.5f + 0.5f * 0.5f / 4.0f);
}

TEST(Paint, LeavesLockedJointsToTheBit) {
    Canvas canvas({{kA, 0.5f}, {kB, 0.3f}, {kC, 0.2f}});
    const PaintOptions options{.mode = PaintMode::Add, .locked = {kB}};
    canvas.dab(kA, 4, 1.0f, options);
    EXPECT_EQ(weightOf(canvas.weights[4], kB), 0.3f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.7f);
    EXPECT_EQ(weightOf(canvas.weights[4], kC), 0.0f);
    const SkinWeights before = canvas.weights;
    canvas.dab(kB, 4, 1.0f, options);  // is locked itself
    EXPECT_EQ(canvas.weights, before);
    canvas.dab(kA, 3, 1.0f, {.mode = PaintMode::Subtract, .locked = {kB, kC}});
    EXPECT_EQ(canvas.weights, before);  // nobody may take it
}

TEST(Paint, GivesWhatAnOnlyJointLosesToTheNeighboursJoints) {
    Canvas canvas({{kB, 0.75f}, {kC, 0.25f}});
    canvas.dab(kA, 4, 1.0f, {.mode = PaintMode::Add});
    ASSERT_EQ(canvas.weights[4].size(), 1U);
    canvas.dab(kA, 4, 0.5f, {.mode = PaintMode::Subtract});
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kA), 0.5f);
    EXPECT_FLOAT_EQ(weightOf(canvas.weights[4], kB), 0.375f);
    Canvas alone({{kA, 1.0f}});
    const SkinWeights before = alone.weights;
    alone.dab(kA, 4, 0.5f, {.mode = PaintMode::Subtract});
    EXPECT_EQ(alone.weights, before);
}

TEST(Paint, ARowWithoutInfluencesGoesWithWhatIsAdded) {
    Canvas canvas({});
    canvas.dab(kA, 4, 0.1f, {.mode = PaintMode::Subtract});
    canvas.dab(kA, 4, 0.1f, {.mode = PaintMode::Smooth});
    EXPECT_TRUE(canvas.weights[4].empty());
    canvas.dab(kA, 4, 0.1f, {.mode = PaintMode::Add});
    EXPECT_EQ(weightOf(canvas.weights[4], kA), 1.0f);
}

TEST(Paint, TreatsVerticesInOnePlaceAlike) {
    Mesh mesh = test::sheet(1.0, 3);
    mesh.positions.push_back(mesh.positions[4]);
    mesh.indices[3] = 9;
    const MeshTopology topology = computeTopology(mesh);
    SkinWeights weights;
    for (std::size_t v = 0; v < 10; ++v)
        weights.addRow(std::vector<Influence>{{kA, 0.5f}, {kB, 0.5f}});
    const std::vector<Dab> dabs = {{9, 0.25f}};
    paint(topology, kA, dabs, {.mode = PaintMode::Add}, weights);
    EXPECT_FLOAT_EQ(weightOf(weights[9], kA), 0.75f);
    EXPECT_TRUE(
        std::equal(weights[4].begin(), weights[4].end(), weights[9].begin(), weights[9].end()));
}

TEST(Paint, KeepsRowsSoundWhateverIsDone) {
    Random random(77);
    const Mesh mesh = test::ball({0, 0, 0}, 1, 4, 6);
    const MeshTopology topology = computeTopology(mesh);
    constexpr std::size_t kJoints = 6;
    SkinWeights weights;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        weights.addRow(test::randomRow(random, kJoints, 4));
    for (int round = 0; round < 5000; ++round) {
        std::vector<Dab> dabs;
        const std::size_t count = 1 + random.below(10);
        for (std::size_t i = 0; i < count; ++i) {
            const auto vertex = static_cast<std::uint32_t>(random.below(mesh.positions.size()));
            // Now and then a strength out of its range.
            dabs.push_back({vertex, static_cast<float>(random.between(-0.2, 1.2))});
        }
        PaintOptions options;
        options.mode = static_cast<PaintMode>(random.below(4));
        options.value = static_cast<float>(random.between(-0.5, 1.5));
        for (std::size_t j = 0; j < kJoints; ++j)
            if (random.below(4) == 0) options.locked.push_back(jointId(j));
        const JointId joint = jointId(random.below(kJoints));
        const SkinWeights before = weights;
        paint(topology, joint, dabs, options, weights);
        for (std::size_t v = 0; v < weights.rowCount(); ++v) {
            expectSoundRow(weights[v]);
            for (const JointId locked : options.locked)
                ASSERT_EQ(weightOf(weights[v], locked), weightOf(before[v], locked));
        }
    }
}

TEST(Brush, FallsFromOneAtTheCentreToNothingAtTheRadius) {
    const Mesh mesh = test::sheet(2.0, 41);
    const std::vector<Dab> dabs = makeBrush(mesh, {0, 0, 0}, 0.5);
    std::size_t inside = 0;
    for (const Vec3f& p : mesh.positions) inside += std::hypot(p.x, p.y) < 0.499f ? 1 : 0;
    EXPECT_EQ(dabs.size(), inside);  // all there are, though ways along edges are longer
    for (const Dab& dab : dabs) {
        const Vec3f& p = mesh.positions[dab.vertex];
        const double t = std::hypot(static_cast<double>(p.x), static_cast<double>(p.y)) / 0.5;
        EXPECT_NEAR(dab.strength, (1 - t * t) * (1 - t * t), 1e-5);
    }
    EXPECT_TRUE(makeBrush(mesh, {0, 0, 1}, 0.5).empty());
    EXPECT_TRUE(makeBrush({}, {0, 0, 0}, 0.5).empty());
}

TEST(Brush, OnAnArmLeavesTheBodyBesideItAlone) {
    const Mesh mesh = test::armsDownBody(0.01);
    const std::vector<Dab> dabs = makeBrush(mesh, {0.185, 1.0, 0}, 0.1);
    EXPECT_GT(dabs.size(), 100U);
    for (const Dab& dab : dabs) EXPECT_TRUE(test::isArm(mesh.positions[dab.vertex]));
}

TEST(Brush, CoversAllVerticesOfAPlace) {
    Mesh mesh = test::sheet(1.0, 3);
    mesh.positions.push_back(mesh.positions[4]);
    mesh.indices[3] = 9;
    const std::vector<Dab> dabs = makeBrush(mesh, {0, 0, 0}, 0.2);
    ASSERT_EQ(dabs.size(), 2U);
    EXPECT_EQ(dabs[0].vertex, 4U);
    EXPECT_EQ(dabs[1].vertex, 9U);
    EXPECT_EQ(dabs[0].strength, dabs[1].strength);
}

}  // namespace
}  // namespace ulna
