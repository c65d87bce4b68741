// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/edit_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/surfaces.h"
#include "support/weights.h"
#include "ulna/skin/bone_heat.h"

namespace ulna {
namespace {

using test::expectSoundRow;
using test::randomRow;

SkinWeights rows(std::initializer_list<std::vector<Influence>> list) {
    SkinWeights out;
    for (const std::vector<Influence>& row : list) out.addRow(row);
    return out;
}

constexpr JointId kA = JointId{0}, kB = JointId{1}, kC = JointId{2};

// ---- normalised

TEST(NormalizedWeights, SumToOneWithOneInfluencePerJointLargestFirst) {
    const SkinWeights out = normalized(
        rows({{{kB, 1}, {kA, 2}, {kB, 3}, {kC, -1}}, {}, {{kA, 0}}, {{kC, 2}, {kA, 2}}}));
    ASSERT_EQ(out.rowCount(), 4U);
    EXPECT_EQ(std::vector<Influence>(out[0].begin(), out[0].end()),
              (std::vector<Influence>{{kB, 4.0f / 6}, {kA, 2.0f / 6}}));
    EXPECT_TRUE(out[1].empty());
    EXPECT_TRUE(out[2].empty());
    EXPECT_EQ(out[3][0].joint, kA);  // a tie goes by joint
}

TEST(NormalizedWeights, OfNothingAreNothing) {
    EXPECT_TRUE(normalized({}).empty());
}

// ---- pruned

// The least sum of squares over every subset, each brought to {x >= least, sum = 1} by bisection.
double leastSquares(std::span<const Influence> row, std::size_t most, double least) {
    double best = 1e9;
    for (unsigned subset = 1; subset < 1U << row.size(); ++subset) {
        std::vector<double> kept;
        double dropped = 0.0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto w = static_cast<double>(row[i].weight);
            if ((subset >> i & 1U) != 0)
                kept.push_back(w);
            else
                dropped += w * w;
        }
        if (kept.size() > most || static_cast<double>(kept.size()) * least > 1.0) continue;
        double low = -2.0, high = 2.0;
        for (int i = 0; i < 100; ++i) {
            const double shift = (low + high) / 2;
            double sum = 0.0;
            for (const double w : kept) sum += std::max(w - shift, least);
            (sum > 1.0 ? low : high) = shift;
        }
        double squares = dropped;
        for (const double w : kept) squares += std::pow(std::max(w - low, least) - w, 2);
        best = std::min(best, squares);
    }
    return best;
}

TEST(PrunedWeights, LoseTheLeastThatAnyRowOfSoFewCan) {
    Random random(21);
    for (int i = 0; i < 300; ++i) {
        const SkinWeights before = rows({randomRow(random, 12, 7)});
        const std::size_t most = 1 + random.below(5);
        const auto least = static_cast<float>(i % 3 == 0 ? 0.0 : random.between(0.0, 0.4));
        const SkinWeights after = pruned(before, most, least).weights;
        expectSoundRow(after[0]);
        ASSERT_LE(after[0].size(), most);
        double squares = 0.0;
        for (std::size_t j = 0; j < 12; ++j)
            squares += std::pow(static_cast<double>(weightOf(after[0], jointId(j))) -
                                    static_cast<double>(weightOf(before[0], jointId(j))),
                                2);
        for (const Influence& kept : after[0]) ASSERT_GE(kept.weight, least - 1e-6f);
        ASSERT_NEAR(squares, leastSquares(before[0], most, static_cast<double>(least)), 1e-6);
    }
}

TEST(PrunedWeights, OfFewEnoughInfluencesStayAsTheyAre) {
    const SkinWeights before = rows({{{kA, 0.75f}, {kB, 0.25f}}, {}});
    const PrunedWeights after = pruned(before, 2);
    EXPECT_EQ(after.weights, before);
    EXPECT_EQ(after.loss.vertices, 0U);
    EXPECT_EQ(after.loss.worst, 0.0);
}

TEST(PrunedWeights, TellWhatWasTaken) {
    const SkinWeights before =
        rows({{{kA, 0.5f}, {kB, 0.25f}, {kC, 0.25f}}, {{kA, 0.75f}, {kB, 0.25f}}, {{kB, 1}}});
    const PrunedWeights after = pruned(before, 1);
    EXPECT_EQ(after.loss.worst, 0.5);
    EXPECT_EQ(after.loss.mean, 0.25);
    EXPECT_EQ(after.loss.vertices, 2U);
    EXPECT_EQ(after.weights[0][0], (Influence{kA, 1.0f}));
}

TEST(PrunedWeights, KeepOneInfluenceHoweverHighTheLeast) {
    const SkinWeights after =
        pruned(rows({{{kA, 0.4f}, {kB, 0.3f}, {kC, 0.3f}}}), 4, 0.99f).weights;
    ASSERT_EQ(after[0].size(), 1U);
    EXPECT_EQ(after[0][0].joint, kA);
}

// ---- smoothed

TEST(SmoothedWeights, AreTheMeanOfNeighboursAtFullAmount) {
    const Mesh mesh = test::sheet(1.0, 3);
    const MeshTopology topology = computeTopology(mesh);
    SkinWeights weights;
    for (std::size_t v = 0; v < 9; ++v)
        weights.addRow(std::vector<Influence>{{v < 3 ? kA : kB, 1.0f}});
    const SkinWeights out = smoothed(weights, topology, 1.0, 1);
    // The middle has 6 neighbours, 2 of them in the first row of the grid.
    EXPECT_NEAR(weightOf(out[4], kA), 2.0 / 6.0, 1e-6);
    const SkinWeights half = smoothed(weights, topology, 0.5, 1);
    EXPECT_NEAR(weightOf(half[4], kA), 1.0 / 6.0, 1e-6);
    EXPECT_EQ(smoothed(weights, topology, 0.5, 0), weights);
    EXPECT_EQ(smoothed(weights, topology, 0.0, 3), weights);
}

TEST(SmoothedWeights, AreTheSameEverywhereInTheEnd) {
    const Mesh mesh = test::ball({0, 0, 0}, 1, 4, 6);
    const MeshTopology topology = computeTopology(mesh);
    SkinWeights weights;
    for (const Vec3f& p : mesh.positions)
        weights.addRow(std::vector<Influence>{{p.x < 0 ? kA : kB, 1.0f}});
    const SkinWeights out = smoothed(weights, topology, 0.5, 500);
    for (std::size_t v = 0; v < out.rowCount(); ++v) {
        expectSoundRow(out[v]);
        EXPECT_NEAR(weightOf(out[v], kA), weightOf(out[0], kA), 1e-4);
    }
}

TEST(SmoothedWeights, LeaveNoSeamBetweenVerticesInOnePlace) {
    Mesh mesh = test::sheet(1.0, 3);
    mesh.positions.push_back(mesh.positions[4]);  // the middle twice, with other weights
    mesh.indices[3] = 9;
    const MeshTopology topology = computeTopology(mesh);
    SkinWeights weights;
    for (std::size_t v = 0; v < 10; ++v)
        weights.addRow(std::vector<Influence>{{v == 9 ? kA : kB, 1.0f}});
    const SkinWeights out = smoothed(weights, topology, 0.1, 1);
    EXPECT_TRUE(std::equal(out[4].begin(), out[4].end(), out[9].begin(), out[9].end()));
}

TEST(SmoothedWeights, LeaveRowsWithoutInfluencesAlone) {
    const Mesh mesh = test::sheet(1.0, 3);
    SkinWeights weights;
    for (std::size_t v = 0; v < 9; ++v)
        weights.addRow(v == 4 ? std::vector<Influence>{} : std::vector<Influence>{{kA, 1.0f}});
    const SkinWeights out = smoothed(weights, computeTopology(mesh), 0.5, 4);
    EXPECT_TRUE(out[4].empty());
    EXPECT_EQ(weightOf(out[0], kA), 1.0f);
}

// ---- mirrored

struct Person {
    Skeleton skeleton = test::armsDownSkeleton();
    Mesh mesh = test::armsDownBody(0.02);
    MirrorPairs pairs = *findMirrorPairs(skeleton);
};

Person weightedPerson() {
    Person out;
    out.mesh.weights = makeBoneHeatWeights(out.skeleton, out.mesh)->weights;
    return out;
}

// The largest difference between rows, exchanged or not.
float difference(const SkinWeights& a, const SkinWeights& b, const Person& person) {
    float worst = 0.0f;
    for (std::size_t v = 0; v < a.rowCount(); ++v)
        for (std::size_t j = 0; j < person.skeleton.jointCount(); ++j)
            worst =
                std::max(worst, std::abs(weightOf(a[v], jointId(j)) - weightOf(b[v], jointId(j))));
    return worst;
}

TEST(MirroredWeights, OfASymmetricBodyAreItsOwn) {
    const Person person = weightedPerson();
    for (const MirrorSide side : {MirrorSide::LeftToRight, MirrorSide::RightToLeft}) {
        const MirroredWeights out = mirroredWeights(person.mesh, person.pairs, side, 1e-5);
        EXPECT_TRUE(out.unmatched.empty());
        EXPECT_LT(difference(out.weights, person.mesh.weights, person), 1e-4f);
    }
}

TEST(MirroredWeights, RestoreASideThatWasSpoilt) {
    Person person = weightedPerson();
    const SkinWeights whole = person.mesh.weights;
    SkinWeights spoilt;
    for (std::size_t v = 0; v < whole.rowCount(); ++v) {
        if (person.mesh.positions[v].x < -1e-5f)
            spoilt.addRow(std::vector<Influence>{{kA, 1.0f}});
        else
            spoilt.addRow(whole[v]);
    }
    person.mesh.weights = spoilt;
    // Left is where x is positive.
    const MirroredWeights out =
        mirroredWeights(person.mesh, person.pairs, MirrorSide::LeftToRight, 1e-5);
    EXPECT_LT(difference(out.weights, whole, person), 1e-4f);
}

TEST(MirroredWeights, AreTheSameInWhateverSpaceTheMeshIsBound) {
    Person person = weightedPerson();
    const SkinWeights whole = person.mesh.weights;
    person.mesh.joint_from_bind = bindMatrices(person.skeleton, person.mesh);
    person.mesh = rotatedMesh(std::move(person.mesh), quatAboutAxis(1, 1.2));
    for (Vec3f& p : person.mesh.positions) p.x += 3.0f;
    for (Affine& a : person.mesh.joint_from_bind) a = a * makeAffine(Mat3{}, Vec3{-3, 0, 0});
    const MirroredWeights out =
        mirroredWeights(person.skeleton, person.mesh, person.pairs, MirrorSide::LeftToRight, 1e-4);
    EXPECT_TRUE(out.unmatched.empty());
    EXPECT_LT(difference(out.weights, whole, person), 1e-3f);
}

TEST(PrunedSmoothly, KeepsNeighboursAlikeWhereInfluencesChangePlaces) {
    // The third and the second joint change places; the first stays.
    const auto row = [](float second) {
        SkinWeights out;
        out.addRow(std::vector<Influence>{
            {jointId(0), 0.5f}, {jointId(1), second}, {jointId(2), 0.5f - second}});
        return out;
    };
    const SkinWeights before = prunedSmoothly(row(0.251f), 2).weights,
                      after = prunedSmoothly(row(0.249f), 2).weights;
    for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(weightOf(before[0], jointId(j)), weightOf(after[0], jointId(j)), 0.01f) << j;
    // What is cut off without care jumps.
    EXPECT_GT(weightOf(pruned(row(0.251f), 2).weights[0], jointId(1)), 0.3f);
    EXPECT_EQ(weightOf(pruned(row(0.249f), 2).weights[0], jointId(1)), 0.0f);
}

TEST(MirroredWeights, LeaveTheSideThatIsReadAsItWas) {
    const Person person = weightedPerson();
    const MirroredWeights out =
        mirroredWeights(person.mesh, person.pairs, MirrorSide::RightToLeft, 1e-5);
    for (std::size_t v = 0; v < person.mesh.positions.size(); ++v) {
        if (person.mesh.positions[v].x > -1e-5f) continue;
        const auto a = out.weights[v], b = person.mesh.weights[v];
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
}

TEST(MirroredWeights, TakeTheNearestSurfacePointAndNameTheVertexWhereSidesDiffer) {
    Person person = weightedPerson();
    const SkinWeights whole = person.mesh.weights;
    std::uint32_t moved = 0;
    for (std::uint32_t v = 0; v < person.mesh.positions.size(); ++v)
        if (person.mesh.positions[v].x < -0.2f && person.mesh.positions[v].y < 1.0f) moved = v;
    person.mesh.positions[moved].y += 0.004f;
    const MirroredWeights out =
        mirroredWeights(person.mesh, person.pairs, MirrorSide::LeftToRight, 1e-5);
    EXPECT_EQ(out.unmatched, std::vector<std::uint32_t>{moved});
    EXPECT_LT(difference(out.weights, whole, person), 0.1f);
}

TEST(MirroredWeights, InTheMiddleAreTheMeanOfBothReadings) {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}};
    mesh.indices = {0, 1, 2};
    mesh.weights = rows({{{kA, 0.75f}, {kB, 0.25f}}, {{kA, 1}}, {{kA, 1}}});
    MirrorPairs pairs;
    pairs.other = {kB, kA};
    const MirroredWeights out = mirroredWeights(mesh, pairs, MirrorSide::LeftToRight, 1e-6);
    EXPECT_EQ(weightOf(out.weights[0], kA), 0.5f);
    EXPECT_EQ(weightOf(out.weights[0], kB), 0.5f);
    EXPECT_EQ(weightOf(out.weights[1], kA), 1.0f);
    EXPECT_EQ(weightOf(out.weights[2], kB), 1.0f);
}

TEST(MirroredWeights, OfPointsWithoutTrianglesComeFromTheNearestVertex) {
    Mesh mesh;
    mesh.positions = {{1, 0, 0}, {-2, 0, 0}};
    mesh.weights = rows({{{kA, 1}}, {{kA, 1}}});
    MirrorPairs pairs;
    pairs.other = {kB, kA};
    const MirroredWeights out = mirroredWeights(mesh, pairs, MirrorSide::LeftToRight, 0.0);
    EXPECT_EQ(weightOf(out.weights[1], kB), 1.0f);
    EXPECT_EQ(out.unmatched, std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace ulna
