// SPDX-License-Identifier: Apache-2.0

// Points that are pinned, tied, driven or of several kinds in one rig; and everything a rig can
// leave open.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/fit.h"
#include "ulna/fit/fitter.h"

namespace ulna {
namespace {

using test::largestAngle;
using test::makeFitter;
using test::randomControlPose;
using test::randomRig;
using test::rmsBetween;

bool contains(const std::vector<std::uint32_t>& list, std::uint32_t what) {
    return std::find(list.begin(), list.end(), what) != list.end();
}

void expectFinite(const ControlPose& pose) {
    for (const Vec3& p : pose.positions) EXPECT_TRUE(isFinite(p));
    for (const Quat& q : pose.rotations) EXPECT_NEAR(dot(q, q), 1.0, 1e-9);
}

void expectHierarchyHolds(const FitRig& rig, const ControlPose& pose) {
    ControlPose carried = pose;
    applyHierarchy(rig, carried);
    for (std::size_t j = 0; j < rig.points.size(); ++j)
        EXPECT_LT(distance(carried.positions[j], pose.positions[j]), 1e-9) << j;
}

// The rig fitted to its shape in a pose that obeys its constraints must find that pose.
ControlPose expectRecovered(const FitRig& rig, const ControlPose& truth, const ControlPose& start) {
    Fitter fitter = makeFitter(rig);
    const std::vector<Vec3> shape = computeVertices(rig, truth);
    ControlPose pose = start;
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_LT(rmsBetween(shape, computeVertices(rig, pose)), 1e-9 * fitter.size());
    EXPECT_LT(largestAngle(pose, truth), 1e-6);
    EXPECT_EQ(report.rank, report.freedoms);
    expectHierarchyHolds(rig, pose);
    return pose;
}

TEST(FitConstraints, RigidPairsMoveAsOne) {
    Random random(1);
    FitRig rig = randomRig(8, 500, false, random);
    rig.rigid_pairs = {{0, 1}, {2, 3}, {3, 4}};
    const ControlPose pose =
        expectRecovered(rig, randomControlPose(rig, 1.0, 0.3, random), restControlPose(rig));
    EXPECT_EQ(pose.rotations[2], pose.rotations[4]);
}

TEST(FitConstraints, ARigidPairHoldsWhereTheShapeWouldBreakIt) {
    Random random(2);
    FitRig rig = randomRig(6, 500, false, random);
    const std::vector<Vec3> shape = computeVertices(rig, randomControlPose(rig, 0.8, 0.3, random));
    rig.rigid_pairs = {{0, 5}};
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_EQ(pose.rotations[0], pose.rotations[5]);
    EXPECT_NEAR(distance(pose.positions[0], pose.positions[5]),
                distance(rig.points[0].rest, rig.points[5].rest), 1e-12);
    EXPECT_GT(report.rms, 1e-3);
}

TEST(FitConstraints, ALoopOfRigidPairsIsOneBody) {
    Random random(3);
    FitRig rig = randomRig(6, 500, false, random);
    rig.rigid_pairs = {{0, 1}, {1, 2}};
    const ControlPose truth = randomControlPose(rig, 1.0, 0.3, random);
    const std::vector<Vec3> shape = computeVertices(rig, truth);
    ControlPose open = restControlPose(rig), closed = open;
    static_cast<void>(makeFitter(rig).fit({.positions = shape}, FitStart::Cold, open));
    rig.rigid_pairs.push_back({2, 0});
    const ControlPose same = expectRecovered(rig, truth, closed);
    EXPECT_EQ(same, open);
}

TEST(FitConstraints, PinnedPointsStayAndMayTurn) {
    Random random(4);
    for (const bool tree : {false, true}) {
        FitRig rig = randomRig(8, 600, tree, random);
        rig.points[5].pinned = true;  // in a tree, far from the root
        ControlPose truth = randomControlPose(rig, 0.8, 0.3, random);
        ControlPose start = restControlPose(rig);
        start.positions[5] = truth.positions[5];
        const ControlPose pose = expectRecovered(rig, truth, start);
        EXPECT_LT(distance(pose.positions[5], start.positions[5]), 1e-12);
    }
}

TEST(FitConstraints, APinHoldsWhereTheShapePullsAway) {
    Random random(5);
    for (const bool tree : {false, true}) {
        FitRig rig = randomRig(8, 600, tree, random);
        const std::vector<Vec3> shape =
            computeVertices(rig, randomControlPose(rig, 0.5, 0.3, random));
        rig.points[6].pinned = true;
        Fitter fitter = makeFitter(rig);
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        EXPECT_LT(distance(pose.positions[6], rig.points[6].rest), 1e-12);
        expectHierarchyHolds(rig, pose);
    }
}

TEST(FitConstraints, SeveralPinsInOneTreeHoldTogether) {
    Random random(6);
    // A chain of seven joints pinned at both ends and pulled at the middle.
    FitRig rig;
    for (int j = 0; j < 7; ++j)
        rig.points.push_back({.rest = {0.3 * j, 0.1 * (j % 2), 0}, .parent = j - 1});
    for (int i = 0; i < 600; ++i) {
        const Vec3 side = random.direction() * 0.1;
        rig.vertices.push_back(rig.points[static_cast<std::size_t>(i % 7)].rest + side);
    }
    test::weighByDistance(rig, 3);
    rig.points[0].pinned = rig.points[6].pinned = true;
    std::vector<Vec3> shape = rig.vertices;
    for (std::size_t i = 3; i < shape.size(); i += 7) shape[i].y -= 0.2;
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_LT(distance(pose.positions[0], rig.points[0].rest), 1e-12);
    EXPECT_LT(distance(pose.positions[6], rig.points[6].rest), 1e-8);
    EXPECT_LT(pose.positions[3].y, rig.points[3].rest.y - 0.01);
    expectHierarchyHolds(rig, pose);
}

TEST(FitConstraints, TheAlternationHoldsSeveralPinsToo) {
    // A chain pinned at both ends that is pushed together, or pulled as far as it goes and farther.
    Random random(17);
    FitRig rig = test::pinnedChain(random);
    for (const double by : {-0.1, 0.005, 0.02}) {
        ControlPose a = restControlPose(rig);
        a.positions[3].x += by;
        ControlPose b = a;
        const Vec3 place = a.positions[3];
        const FitReport joint = makeFitter(rig).fit({.positions = rig.vertices}, FitStart::Warm, a);
        const FitReport turns = makeFitter(rig, {.method = FitMethod::Alternating})
                                    .fit({.positions = rig.vertices}, FitStart::Warm, b);
        if (by > 0.01) {
            EXPECT_EQ(joint.status, FitStatus::Stalled);
            EXPECT_EQ(turns.status, FitStatus::Stalled);
            EXPECT_GT(distance(b.positions[3], place), 0.005);
            continue;
        }
        EXPECT_LT(distance(a.positions[3], place), 1e-9);
        EXPECT_LT(distance(b.positions[3], place), 1e-6) << by;
        EXPECT_NEAR(turns.rms, joint.rms, 1e-6) << by;
    }
}

TEST(FitConstraints, DrivenPointsStayAsTheyAreAndCarryTheirChildren) {
    Random random(7);
    FitRig rig = randomRig(8, 600, false, random);
    rig.points[0].freedom = PointFreedom::Driven;
    rig.points[1].parent = 0;
    rig.points[2].parent = 1;
    const ControlPose truth = randomControlPose(rig, 0.8, 0.3, random);
    ControlPose start = restControlPose(rig);
    start.rotations[0] = truth.rotations[0];
    start.positions[0] = truth.positions[0];
    const ControlPose pose = expectRecovered(rig, truth, start);
    EXPECT_LT(distance(pose.positions[0], truth.positions[0]), 1e-15);
}

TEST(FitConstraints, ACageMovesItsPointsAndTurnsNothing) {
    Random random(8);
    FitRig rig = randomRig(12, 600, false, random);
    for (ControlPoint& point : rig.points) point.freedom = PointFreedom::Cage;
    const ControlPose truth = randomControlPose(rig, 1.0, 0.5, random);
    const ControlPose pose = expectRecovered(rig, truth, restControlPose(rig));
    for (const Quat& q : pose.rotations) EXPECT_EQ(q, Quat{});
}

TEST(FitConstraints, SkeletonFreePointsAndCageMixInOneRig) {
    Random random(9);
    for (const bool planar : {false, true}) {
        FitRig rig = randomRig(14, 1500, true, random, planar);
        for (std::size_t j = 9; j < 14; ++j) rig.points[j].parent = -1;
        for (std::size_t j = 11; j < 14; ++j) rig.points[j].freedom = PointFreedom::Cage;
        rig.points[13].freedom = PointFreedom::Driven;
        rig.points[12].pinned = true;
        for (ControlPoint& point : rig.points) point.parent = std::min(point.parent, 8);
        const ControlPose truth = randomControlPose(rig, 0.8, 0.3, random);
        ControlPose start = restControlPose(rig);
        for (const std::size_t j : {12U, 13U}) {
            start.rotations[j] = truth.rotations[j];
            start.positions[j] = truth.positions[j];
        }
        expectRecovered(rig, truth, start);
    }
}

// ---- what a rig leaves open

TEST(FitRank, APointWithoutWeightsStaysAndIsNamed) {
    Random random(11);
    FitRig rig = randomRig(6, 400, false, random);
    rig.points.push_back({.name = "idle", .rest = {3, 3, 3}});
    const ControlPose truth = randomControlPose(rig, 0.8, 0.2, random);
    for (const FitStart start : {FitStart::Cold, FitStart::Warm}) {
        Fitter fitter = makeFitter(rig);
        ControlPose pose = restControlPose(rig);
        pose.positions[6] = {5, 5, 5};
        const FitReport& report =
            fitter.fit({.positions = computeVertices(rig, truth)}, start, pose);
        EXPECT_LT(report.rms, 1e-9);
        EXPECT_EQ(report.undetermined, std::vector<std::uint32_t>{6});
        EXPECT_EQ(report.rank, report.freedoms - 6);
        EXPECT_LT(distance(pose.positions[6], Vec3{5, 5, 5}), 1e-9);
        EXPECT_LT(rotationAngle(pose.rotations[6]), 1e-6);
        expectFinite(pose);
    }
}

TEST(FitRank, AnIdleLeafOfATreeFollowsItsParent) {
    Random random(12);
    FitRig rig = randomRig(8, 400, true, random);
    rig.points.push_back(
        {.name = "tip", .rest = rig.points[7].rest + Vec3{0.2, 0, 0}, .parent = 7});
    const ControlPose truth = randomControlPose(rig, 0.8, 0.2, random);
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report =
        fitter.fit({.positions = computeVertices(rig, truth)}, FitStart::Cold, pose);
    EXPECT_LT(report.rms, 1e-9);
    EXPECT_EQ(report.undetermined, std::vector<std::uint32_t>{8});
    EXPECT_EQ(report.rank, report.freedoms - 3);
    EXPECT_LT(distance(pose.positions[8], truth.positions[8]), 1e-8);
    EXPECT_LT(rotationAngle(pose.rotations[8]), 1e-6);
}

TEST(FitRank, PointsWithEqualWeightsShareTheMotion) {
    Random random(13);
    // Two points at one place with half of the weight each, among others.
    FitRig rig = randomRig(5, 600, false, random);
    rig.points.push_back(rig.points[4]);
    SkinWeights weights;
    for (std::size_t i = 0; i < rig.vertices.size(); ++i) {
        std::vector<Influence> row(rig.weights[i].begin(), rig.weights[i].end());
        for (Influence& influence : row) {
            if (influence.joint != jointId(4)) continue;
            influence.weight *= 0.5f;
            row.push_back({jointId(5), influence.weight});
            break;
        }
        weights.addRow(row);
    }
    rig.weights = weights;
    ControlPose truth = randomControlPose(rig, 0.8, 0.2, random);
    truth.rotations[5] = truth.rotations[4];
    truth.positions[5] = truth.positions[4];
    const std::vector<Vec3> shape = computeVertices(rig, truth);
    for (const FitStart start : {FitStart::Cold, FitStart::Warm}) {
        Fitter fitter = makeFitter(rig);
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = shape}, start, pose);
        EXPECT_LT(report.rms, 1e-9);
        EXPECT_TRUE(contains(report.undetermined, 4));
        EXPECT_TRUE(contains(report.undetermined, 5));
        EXPECT_EQ(report.undetermined.size(), 2U);
        EXPECT_EQ(report.rank, report.freedoms - 6);
        EXPECT_LT(distance(pose.positions[4], pose.positions[5]), 1e-4);
        EXPECT_LT(angleBetween(pose.rotations[4], pose.rotations[5]), 1e-3);
        expectFinite(pose);
    }
}

TEST(FitRank, PointsThatShareUnevenlyAreBothNamed) {
    // Every vertex hangs on two points at one place, by 0.95 and by 0.05.
    Random random(16);
    FitRig rig;
    rig.points = {{.rest = {0, 0, 0}}, {.rest = {0, 0, 0}}};
    for (int i = 0; i < 50; ++i) {
        rig.vertices.push_back(random.direction());
        rig.weights.addRow(std::array{Influence{jointId(0), 0.95f}, Influence{jointId(1), 0.05f}});
    }
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = rig.vertices}, FitStart::Warm, pose);
    EXPECT_EQ(report.rank, 6U);
    EXPECT_EQ(report.undetermined, (std::vector<std::uint32_t>{0, 1}));
}

TEST(FitRank, AThinStickShowsItsTurnAndAThinnerOneDoesNot) {
    // Turned about itself, a stick moves by its thickness: squared, that is what counts.
    for (const double thickness : {1e-3, 1e-5}) {
        FitRig rig;
        rig.points = {{.name = "stick"}};
        for (int i = 0; i < 20; ++i) {
            rig.vertices.push_back({0.1 * (i / 2), i % 2 == 0 ? thickness : -thickness, 0});
            rig.weights.addRow(std::array{Influence{jointId(0), 1.0f}});
        }
        Fitter fitter = makeFitter(rig);
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = rig.vertices}, FitStart::Cold, pose);
        EXPECT_EQ(report.rank, thickness > 1e-4 ? 6U : 5U);
    }
}

TEST(FitRank, TooFewVerticesLeaveTheRestAlone) {
    // One point with one vertex: it may be moved there in many ways, the nearest without a turn.
    FitRig rig;
    rig.points = {{.rest = {0, 0, 0}}, {.rest = {1, 0, 0}}};
    rig.vertices = {{0.1, 0, 0}, {1.1, 0, 0}, {1.1, 0.3, 0}};
    for (const int point : {0, 1, 1}) {
        const Influence all{jointId(static_cast<std::size_t>(point)), 1.0f};
        rig.weights.addRow(std::span(&all, 1));
    }
    Fitter fitter = makeFitter(rig);
    std::vector<Vec3> shape = rig.vertices;
    for (Vec3& v : shape) v += Vec3{0, 0.2, 0};
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_LT(report.rms, 1e-9);
    EXPECT_EQ(report.undetermined, (std::vector<std::uint32_t>{0, 1}));
    // Of 12 freedoms, three by the lone vertex, five by the pair.
    EXPECT_EQ(report.rank, 8U);
    expectFinite(pose);
    EXPECT_LT(largestAngle(pose, restControlPose(rig)), 1e-6);
}

TEST(FitRank, VerticesOnALineLeaveTheTurnAboutIt) {
    FitRig rig;
    rig.points = {{.name = "stick"}};
    for (int i = 0; i < 10; ++i) {
        rig.vertices.push_back({0.1 * i, 0, 0});
        const Influence all{jointId(0), 1.0f};
        rig.weights.addRow(std::span(&all, 1));
    }
    ControlPose truth = restControlPose(rig);
    truth.rotations[0] = quatFromAxisAngle(Vec3{0, 0, 1}, 1.0);
    truth.positions[0] = {0.3, 0.2, 0.1};
    Fitter fitter = makeFitter(rig);
    for (const FitStart start : {FitStart::Cold, FitStart::Warm}) {
        ControlPose pose = restControlPose(rig);
        const FitReport& report =
            fitter.fit({.positions = computeVertices(rig, truth)}, start, pose);
        EXPECT_LT(report.rms, 1e-9);
        EXPECT_EQ(report.rank, 5U);
        EXPECT_EQ(report.undetermined, std::vector<std::uint32_t>{0});
        expectFinite(pose);
    }
}

TEST(FitRank, AllVerticesMaskedLeaveThePoseAsItWas) {
    Random random(14);
    for (const bool tree : {false, true}) {
        const FitRig rig = randomRig(5, 100, tree, random);
        Fitter fitter = makeFitter(rig);
        const ControlPose before = randomControlPose(rig, 0.5, 0.2, random);
        ControlPose pose = before;
        const std::vector<double> nothing(100, 0.0);
        const FitReport& report =
            fitter.fit({.positions = rig.vertices, .mask = nothing}, FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        EXPECT_EQ(report.rank, 0U);
        EXPECT_EQ(report.undetermined.size(), 5U);
        EXPECT_EQ(report.rms, 0.0);
        for (std::size_t j = 0; j < 5; ++j) {
            EXPECT_LT(distance(pose.positions[j], before.positions[j]), 1e-12);
            EXPECT_LT(angleBetween(pose.rotations[j], before.rotations[j]), 1e-7);
        }
    }
}

TEST(FitRank, APointWhoseVerticesAreAllMaskedStays) {
    Random random(15);
    FitRig rig;
    rig.points = {{.rest = {0, 0, 0}}, {.rest = {2, 0, 0}}};
    std::vector<double> mask;
    for (int i = 0; i < 40; ++i) {
        const std::size_t point = i < 20 ? 0 : 1;
        rig.vertices.push_back(rig.points[point].rest + random.direction());
        const Influence all{jointId(point), 1.0f};
        rig.weights.addRow(std::span(&all, 1));
        mask.push_back(point == 0 ? 1.0 : 0.0);
    }
    Fitter fitter = makeFitter(rig);
    const ControlPose truth = randomControlPose(rig, 1.0, 0.3, random);
    ControlPose pose = restControlPose(rig);
    const FitReport& report =
        fitter.fit({.positions = computeVertices(rig, truth), .mask = mask}, FitStart::Cold, pose);
    EXPECT_LT(report.rms, 1e-9);
    EXPECT_EQ(report.undetermined, std::vector<std::uint32_t>{1});
    EXPECT_LT(distance(pose.positions[1], rig.points[1].rest), 1e-9);
    EXPECT_LT(rotationAngle(pose.rotations[1]), 1e-6);
}

TEST(FitRank, AllVerticesInOnePlaceAreAnAnswerToo) {
    FitRig rig;
    rig.points = {{.rest = {1, 1, 1}}};
    for (int i = 0; i < 5; ++i) {
        rig.vertices.push_back({1, 1, 1});
        const Influence all{jointId(0), 1.0f};
        rig.weights.addRow(std::span(&all, 1));
    }
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report =
        fitter.fit({.positions = std::vector<Vec3>(5, Vec3{2, 3, 4})}, FitStart::Cold, pose);
    EXPECT_LT(report.rms, 1e-9);
    EXPECT_EQ(report.rank, 3U);
    EXPECT_LT(distance(pose.positions[0], Vec3{2, 3, 4}), 1e-9);
    expectFinite(pose);
}

}  // namespace
}  // namespace ulna
