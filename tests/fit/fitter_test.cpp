// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/fitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "support/allocations.h"
#include "support/fit.h"

namespace ulna {
namespace {

using test::largestAngle;
using test::makeFitter;
using test::randomControlPose;
using test::randomRig;
using test::rmsBetween;
using test::withNoise;

struct Recovery {
    bool tree, planar;
    double angle_degrees;
};

TEST(Fitter, RecoversPosesUpToARightAnglePerPointFromACold) {
    for (const Recovery& what :
         {Recovery{false, false, 30}, Recovery{false, false, 90}, Recovery{true, false, 30},
          Recovery{true, false, 90}, Recovery{false, true, 90}, Recovery{true, true, 90}}) {
        Random random(21);
        for (int sample = 0; sample < 10; ++sample) {
            const FitRig rig = randomRig(18, 1000, what.tree, random, what.planar);
            Fitter fitter = makeFitter(rig);
            const ControlPose truth =
                randomControlPose(rig, radians(what.angle_degrees), 0.3, random);
            const std::vector<Vec3> shape = computeVertices(rig, truth);
            ControlPose pose = restControlPose(rig);
            const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
            EXPECT_EQ(report.status, FitStatus::Converged);
            EXPECT_LE(report.iterations, 5);
            EXPECT_LT(rmsBetween(shape, computeVertices(rig, pose)), 1e-9 * fitter.size());
            EXPECT_LT(largestAngle(pose, truth), 1e-6);
            EXPECT_EQ(report.rank, report.freedoms);
            EXPECT_NEAR(report.rms, rmsBetween(shape, computeVertices(rig, pose)), 1e-12);
        }
    }
}

TEST(Fitter, RecoversAPoseFromOneNearby) {
    Random random(22);
    for (const bool tree : {false, true}) {
        const FitRig rig = randomRig(18, 1000, tree, random);
        Fitter fitter = makeFitter(rig);
        ControlPose pose = restControlPose(rig);
        const std::vector<Vec3> shape =
            computeVertices(rig, randomControlPose(rig, radians(10.0), 0.05, random));
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        EXPECT_LT(rmsBetween(shape, computeVertices(rig, pose)), 1e-9 * fitter.size());
    }
}

TEST(Fitter, LeavesNoMoreThanTheNoise) {
    for (const bool tree : {false, true}) {
        Random random(23);
        const FitRig rig = randomRig(18, 4000, tree, random);
        Fitter fitter = makeFitter(rig);
        const double sigma = 0.002 * fitter.size();
        const ControlPose truth = randomControlPose(rig, radians(90.0), 0.3, random);
        const std::vector<Vec3> clean = computeVertices(rig, truth);
        const std::vector<Vec3> shape = withNoise(clean, sigma, random);
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        const double floor = rmsBetween(shape, clean);
        EXPECT_NEAR(report.rms, floor, 0.02 * floor);
        EXPECT_LE(report.rms, floor);
        EXPECT_LT(rmsBetween(clean, computeVertices(rig, pose)), 0.25 * floor);
    }
}

TEST(Fitter, ReportsTheWorstVertexAndItsDistance) {
    Random random(24);
    const FitRig rig = randomRig(6, 500, false, random);
    Fitter fitter = makeFitter(rig);
    std::vector<Vec3> shape = rig.vertices;
    shape[137].x += 0.5;
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_EQ(report.worst_vertex, 137U);
    const std::vector<Vec3> found = computeVertices(rig, pose);
    EXPECT_NEAR(report.worst_distance, distance(found[137], shape[137]), 1e-12);
    EXPECT_NEAR(report.rms, rmsBetween(found, shape), 1e-12);
}

TEST(Fitter, HeavyVerticesCountMore) {
    Random random(25);
    FitRig rig = randomRig(1, 2, false, random);
    rig.masses = {3.0, 1.0};
    Fitter fitter = makeFitter(rig);
    // One point with two vertices pulled apart along their line: both miss, the light one more.
    const Vec3 along = normalizedOr(rig.vertices[1] - rig.vertices[0], Vec3{1, 0, 0});
    const std::vector<Vec3> shape = {rig.vertices[0] - along * 0.1, rig.vertices[1] + along * 0.1};
    ControlPose pose = restControlPose(rig);
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Warm, pose));
    const std::vector<Vec3> found = computeVertices(rig, pose);
    EXPECT_NEAR(distance(found[0], shape[0]), 0.05, 1e-9);
    EXPECT_NEAR(distance(found[1], shape[1]), 0.15, 1e-9);
}

TEST(Fitter, TheJointStepConvergesQuadraticallyAndTheAlternationLinearly) {
    Random random(26);
    FitRig rig = randomRig(18, 1000, false, random);
    test::weighByDistance(rig, 8);
    const std::vector<Vec3> shape =
        computeVertices(rig, randomControlPose(rig, radians(40.0), 0.2, random));
    const auto historyOf = [&](FitMethod method, int most) {
        Fitter fitter =
            makeFitter(rig, {.method = method, .max_iterations = most, .record_history = true});
        ControlPose pose = restControlPose(rig);
        return fitter.fit({.positions = shape}, FitStart::Warm, pose).history;
    };
    const std::vector<FitStep> joint = historyOf(FitMethod::JointNewton, 0);
    ASSERT_GT(joint.size(), 3U);
    EXPECT_LT(joint.size(), 12U);
    EXPECT_LT(joint.back().rms, 1e-12);
    bool squared = false;
    for (std::size_t i = 1; i + 1 < joint.size(); ++i) {
        // Where an error is small, the next is about its square.
        if (joint[i].rms < 1e-2 && joint[i].rms > 1e-6)
            squared = squared || joint[i + 1].rms < 30.0 * joint[i].rms * joint[i].rms;
    }
    EXPECT_TRUE(squared);
    const std::vector<FitStep> alternating = historyOf(FitMethod::Alternating, 0);
    ASSERT_GT(alternating.size(), 25U);
    for (std::size_t i = 1; i < alternating.size(); ++i)
        EXPECT_LE(alternating[i].rms, alternating[i - 1].rms) << i;
    // Ten rounds gain about the same factor wherever one looks.
    const double early = alternating[15].rms / alternating[5].rms;
    const double late = alternating[25].rms / alternating[15].rms;
    EXPECT_LT(early, 0.2);
    EXPECT_GT(early, 1e-4);
    EXPECT_LT(late, 0.2);
    EXPECT_GT(late, 1e-4);
}

TEST(Fitter, TheAlternationEndsWhereTheJointStepDoes) {
    Random random(27);
    for (const bool tree : {false, true}) {
        const FitRig rig = randomRig(8, 400, tree, random);
        const std::vector<Vec3> shape =
            withNoise(computeVertices(rig, randomControlPose(rig, 0.5, 0.2, random)), 0.01, random);
        Fitter joint = makeFitter(rig);
        Fitter alternating = makeFitter(
            rig, {.method = FitMethod::Alternating, .tolerance = 1e-8, .max_iterations = 20000});
        ControlPose a = restControlPose(rig), b = a;
        const FitReport first = joint.fit({.positions = shape}, FitStart::Warm, a);
        const FitReport& second = alternating.fit({.positions = shape}, FitStart::Warm, b);
        EXPECT_EQ(second.status, FitStatus::Converged);
        EXPECT_NEAR(first.rms, second.rms, 1e-8);
        EXPECT_LT(largestAngle(a, b), 1e-3);
    }
}

TEST(Fitter, RobustLossesLeaveOutliersOut) {
    Random random(28);
    const FitRig rig = randomRig(10, 2000, true, random);
    const ControlPose truth = randomControlPose(rig, 0.6, 0.2, random);
    const std::vector<Vec3> clean = computeVertices(rig, truth);
    const double sigma = 0.002;
    std::vector<Vec3> shape = withNoise(clean, sigma, random);
    for (std::size_t i = 0; i < shape.size(); i += 10) shape[i] += random.direction() * 0.7;
    const auto errorOf = [&](FitLoss loss, double scale) {
        Fitter fitter = makeFitter(rig, {.loss = loss, .loss_scale = scale});
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged) << fitLossName(loss);
        // The report is of all vertices, whatever the loss made of them.
        EXPECT_NEAR(report.rms, rmsBetween(shape, computeVertices(rig, pose)), 1e-12);
        EXPECT_EQ(report.worst_vertex % 10, 0U);
        EXPECT_EQ(report.robust.has_value(), loss != FitLoss::Squares);
        if (report.robust) {
            // A tenth of 2000 are outliers, and 3 of 100 of the others are far by chance.
            EXPECT_EQ(report.robust->counted, 2000U);
            EXPECT_NEAR(static_cast<double>(report.robust->inliers), 0.97 * 1800.0, 60.0);
            EXPECT_NEAR(report.robust->median, 1.6 * sigma, 0.3 * sigma);
            EXPECT_GT(report.rms, 50.0 * sigma);
            EXPECT_LT(report.robust->weighted_rms, 10.0 * sigma);
        }
        return rmsBetween(clean, computeVertices(rig, pose));
    };
    const double squares = errorOf(FitLoss::Squares, 0.0);
    EXPECT_GT(squares, 5.0 * sigma);
    EXPECT_LT(errorOf(FitLoss::Huber, 0.0), 0.2 * squares);
    EXPECT_LT(errorOf(FitLoss::GemanMcClure, 0.0), 0.5 * sigma);
    EXPECT_LT(errorOf(FitLoss::GemanMcClure, 3.0 * sigma), 0.5 * sigma);
}

TEST(Fitter, AllowsItsIterationsToEachRoundOfARobustLoss) {
    Random random(38);
    const FitRig rig = randomRig(8, 800, true, random);
    std::vector<Vec3> shape =
        withNoise(computeVertices(rig, randomControlPose(rig, 0.6, 0.2, random)), 0.01, random);
    for (std::size_t i = 0; i < shape.size(); i += 10) shape[i] += random.direction() * 0.7;
    constexpr int kMost = 8;
    Fitter fitter = makeFitter(rig, {.loss = FitLoss::Huber, .max_iterations = kMost});
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_GT(report.iterations, kMost);
}

TEST(Fitter, ARobustFitAfterABadFrameIsAsGoodAsTheFirst) {
    Random random(36);
    const FitRig rig = randomRig(6, 400, false, random);
    std::vector<Vec3> shape =
        withNoise(computeVertices(rig, randomControlPose(rig, 0.6, 0.2, random)), 0.01, random);
    Fitter fitter = makeFitter(rig, {.loss = FitLoss::Huber});
    ControlPose pose = restControlPose(rig);
    const FitReport first = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    const Vec3 kept = std::exchange(shape[3], Vec3{std::nan(""), 0, 0});
    EXPECT_EQ(fitter.fit({.positions = shape}, FitStart::Warm, pose).status, FitStatus::BadTarget);
    shape[3] = kept;
    const FitReport& again = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_EQ(again.status, FitStatus::Converged);
    EXPECT_EQ(again.rank, first.rank);
    EXPECT_NEAR(again.rms, first.rms, 1e-9);
}

TEST(Fitter, AVertexThatNothingMovesIsAsFarAsItsTargetIs) {
    Random random(37);
    FitRig rig = randomRig(3, 100, false, random);
    rig.vertices.push_back({0.5, -0.3, 0.2});
    rig.weights.addRow({});
    for (Vec3& v : rig.vertices) v += Vec3{10, 20, 30};
    for (ControlPoint& point : rig.points) point.rest += Vec3{10, 20, 30};
    std::vector<Vec3> shape = rig.vertices;
    shape.back() += Vec3{0, 3, 4};
    Fitter fitter = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_EQ(report.worst_vertex, 100U);
    EXPECT_NEAR(report.worst_distance, 5.0, 1e-12);
    EXPECT_NEAR(report.rms, 5.0 / std::sqrt(101.0), 1e-12);
}

TEST(Fitter, DoesNotLookAtMaskedTargets) {
    Random random(29);
    const FitRig rig = randomRig(10, 1000, false, random);
    Fitter fitter = makeFitter(rig);
    const ControlPose truth = randomControlPose(rig, 0.6, 0.2, random);
    std::vector<Vec3> shape = computeVertices(rig, truth);
    std::vector<double> mask(shape.size(), 1.0);
    for (std::size_t i = 0; i < shape.size(); i += 3) {
        mask[i] = 0.0;
        shape[i] = {std::numeric_limits<double>::quiet_NaN(), 1e30, 0.0};
    }
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter.fit({.positions = shape, .mask = mask}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_LT(report.rms, 1e-9);
    EXPECT_LT(largestAngle(pose, truth), 1e-6);
    // And the mask does not stay behind.
    shape = computeVertices(rig, truth);
    shape[0] += Vec3{0.1, 0, 0};
    EXPECT_GT(fitter.fit({.positions = shape}, FitStart::Warm, pose).rms, 1e-4);
}

TEST(Fitter, ATargetThatIsNoNumberIsReportedAndThePoseKept) {
    Random random(30);
    const FitRig rig = randomRig(5, 200, false, random);
    Fitter fitter = makeFitter(rig);
    std::vector<Vec3> shape = rig.vertices;
    shape[17].y = std::numeric_limits<double>::infinity();
    const ControlPose before = randomControlPose(rig, 0.5, 0.1, random);
    ControlPose pose = before;
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::BadTarget);
    EXPECT_EQ(report.worst_vertex, 17U);
    EXPECT_EQ(pose, before);
}

TEST(Fitter, GivesTheSameBytesEveryTimeAndFromACopy) {
    Random random(31);
    const FitRig rig = randomRig(12, 800, true, random);
    const std::vector<Vec3> shape =
        withNoise(computeVertices(rig, randomControlPose(rig, 0.7, 0.2, random)), 0.01, random);
    Fitter fitter = makeFitter(rig);
    Fitter copy = fitter;
    ControlPose a = restControlPose(rig), b = a, c = a;
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, a));
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, b));
    static_cast<void>(copy.fit({.positions = shape}, FitStart::Cold, c));
    EXPECT_EQ(a, b);
    EXPECT_EQ(a, c);
}

TEST(Fitter, AllocatesNothingAfterItsFirstFit) {
    Random random(32);
    for (const bool tree : {false, true}) {
        for (const FitMethod method : {FitMethod::JointNewton, FitMethod::Alternating}) {
            const FitRig rig = randomRig(12, 800, tree, random);
            Fitter fitter = makeFitter(rig, {.method = method, .max_iterations = 20});
            ControlPose pose = restControlPose(rig);
            const std::vector<Vec3> shape =
                computeVertices(rig, randomControlPose(rig, 0.3, 0.1, random));
            static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, pose));
            const long before = test::allocationCount();
            static_cast<void>(fitter.fit({.positions = rig.vertices}, FitStart::Warm, pose));
            static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, pose));
            EXPECT_EQ(test::allocationCount(), before);
        }
    }
}

TEST(Fitter, FarFromTheOriginIsAsGood) {
    Random random(33);
    FitRig rig = randomRig(10, 800, false, random);
    const Vec3 far{3000.0, -2000.0, 5000.0};
    for (ControlPoint& point : rig.points) point.rest += far;
    for (Vec3& v : rig.vertices) v += far;
    Fitter fitter = makeFitter(rig);
    const ControlPose truth = randomControlPose(rig, 0.6, 0.2, random);
    const std::vector<Vec3> shape = computeVertices(rig, truth);
    ControlPose pose = restControlPose(rig);
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, pose));
    EXPECT_LT(rmsBetween(shape, computeVertices(rig, pose)), 1e-9 * fitter.size());
    EXPECT_LT(largestAngle(pose, truth), 1e-6);
}

TEST(Fitter, TheSizeOfTheModelDoesNotMatter) {
    for (const double scale : {1e-4, 1e4}) {
        Random random(34);
        FitRig rig = randomRig(10, 800, true, random);
        for (ControlPoint& point : rig.points) point.rest = point.rest * scale;
        for (Vec3& v : rig.vertices) v = v * scale;
        Fitter fitter = makeFitter(rig);
        const ControlPose truth = randomControlPose(rig, 1.2, 0.2 * scale, random);
        const std::vector<Vec3> shape = computeVertices(rig, truth);
        ControlPose pose = restControlPose(rig);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_LE(report.iterations, 5);
        EXPECT_LT(report.rms, 1e-9 * fitter.size());
        EXPECT_LT(largestAngle(pose, truth), 1e-6);
    }
}

TEST(Fitter, APullHoldsTheAnswerNearItsReference) {
    Random random(35);
    const FitRig rig = randomRig(8, 400, false, random);
    const ControlPose truth = randomControlPose(rig, 0.3, 0.1, random);
    const std::vector<Vec3> shape = computeVertices(rig, truth);
    const ControlPose rest = restControlPose(rig);
    double before = largestAngle(rest, truth) + 1e-6;
    for (const double smoothness : {0.01, 0.1, 1.0, 100.0}) {
        Fitter fitter = makeFitter(rig, {.smoothness = smoothness});
        ControlPose pose = rest;
        static_cast<void>(
            fitter.fit({.positions = shape, .reference = &rest}, FitStart::Warm, pose));
        const double moved = largestAngle(rest, pose);
        EXPECT_LT(moved, before);
        before = moved;
        // Without a reference there is no pull.
        static_cast<void>(fitter.fit({.positions = shape}, FitStart::Warm, pose));
        EXPECT_LT(largestAngle(pose, truth), 1e-6);
    }
    EXPECT_LT(before, 0.02);
}

}  // namespace
}  // namespace ulna
