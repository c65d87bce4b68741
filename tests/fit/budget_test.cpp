// SPDX-License-Identifier: Apache-2.0

// Fits end when their budget is spent, with an answer that is as valid as any.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "support/fit.h"
#include "support/skeleton_fits.h"
#include "ulna/fit/sequence.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/limits.h"

namespace ulna {
namespace {

using namespace test;

// A rig, and a shape that it cannot take.
struct RigCase {
    FitRig rig;
    std::vector<Vec3> shape;
};

RigCase makeRigCase(std::uint64_t seed) {
    Random random(seed);
    RigCase out;
    out.rig = randomRig(12, 400, true, random);
    const ControlPose truth = randomControlPose(out.rig, radians(60.0), 0.2, random);
    out.shape = withNoise(computeVertices(out.rig, truth), 0.05, random);
    return out;
}

struct SkinCase {
    Skeleton skeleton;
    Mesh mesh;
    std::vector<Vec3> shape;
};

SkinCase makeSkinCase(std::uint64_t seed) {
    Random random(seed);
    SkinCase out;
    out.skeleton = limitedArm();
    out.mesh = meshAround(out.skeleton, 300, random);
    const Pose truth = computePose(out.skeleton, clampedDofs(out.skeleton, random));
    out.shape = withNoise(skinOf(out.skeleton, out.mesh, truth), 0.02, random);
    return out;
}

double costOf(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    const double rms = rmsBetween(a, b);
    return 0.5 * rms * rms * static_cast<double>(a.size());
}

TEST(FitBudget, OfIterationsBoundsAllRoundsTogether) {
    for (const FitMethod method : {FitMethod::JointNewton, FitMethod::Alternating}) {
        for (const FitLoss loss : {FitLoss::Squares, FitLoss::GemanMcClure}) {
            const RigCase c = makeRigCase(1);
            Fitter whole = makeFitter(c.rig, {.method = method, .loss = loss});
            Fitter cut =
                makeFitter(c.rig, {.method = method, .loss = loss, .budget = {.iterations = 2}});
            ControlPose far = restControlPose(c.rig), near = far;
            EXPECT_NE(whole.fit({.positions = c.shape}, FitStart::Warm, far).status,
                      FitStatus::Stopped);
            const FitReport report = cut.fit({.positions = c.shape}, FitStart::Warm, near);
            EXPECT_EQ(report.status, FitStatus::Stopped);
            EXPECT_EQ(report.iterations, 2);
            // The report is of the answer, which is better than the start.
            const double rms = rmsBetween(c.shape, computeVertices(c.rig, near));
            EXPECT_NEAR(report.rms, rms, 1e-12);
            EXPECT_LT(rms, rmsBetween(c.shape, c.rig.vertices));
            EXPECT_EQ(report.rank, report.freedoms);
        }
    }
    EXPECT_EQ(fitStatusName(FitStatus::Stopped), "stopped");
}

TEST(FitBudget, ADeadlineThatHasPassedLeavesTheStartAndANewOneIsKept) {
    const RigCase c = makeRigCase(2);
    Fitter fitter = makeFitter(c.rig);
    ControlPose pose = restControlPose(c.rig);
    fitter.setBudget({.deadline = std::chrono::steady_clock::now()});
    const FitReport stopped = fitter.fit({.positions = c.shape}, FitStart::Warm, pose);
    EXPECT_EQ(stopped.status, FitStatus::Stopped);
    EXPECT_EQ(stopped.iterations, 0);
    EXPECT_LT(largestAngle(pose, restControlPose(c.rig)), 1e-12);  // positions follow from these
    EXPECT_NEAR(stopped.rms, rmsBetween(c.shape, computeVertices(c.rig, pose)), 1e-12);
    EXPECT_LE(stopped.rms, rmsBetween(c.shape, c.rig.vertices));
    fitter.setBudget({});
    EXPECT_EQ(fitter.fit({.positions = c.shape}, FitStart::Warm, pose).status,
              FitStatus::Converged);
}

TEST(FitBudget, AnObserverSeesTheCostFallAndMayEndTheFit) {
    const RigCase c = makeRigCase(3);
    std::vector<SolveProgress> seen;
    FitOptions options;
    options.budget.observer = [&](const SolveProgress& progress) {
        seen.push_back(progress);
        return true;
    };
    ControlPose watched = restControlPose(c.rig), plain = watched;
    const FitReport report =
        makeFitter(c.rig, options).fit({.positions = c.shape}, FitStart::Warm, watched);
    static_cast<void>(makeFitter(c.rig).fit({.positions = c.shape}, FitStart::Warm, plain));
    EXPECT_EQ(watched, plain);  // watching changes nothing
    ASSERT_EQ(seen.size(), static_cast<std::size_t>(report.iterations));
    ASSERT_GT(seen.size(), 2U);
    for (std::size_t i = 0; i < seen.size(); ++i) {  // the cost is that of the pose there
        ControlPose there = restControlPose(c.rig);
        FitOptions until;
        until.budget.observer = [&](const SolveProgress& p) {
            return p.iterations < static_cast<int>(i);
        };
        EXPECT_EQ(
            makeFitter(c.rig, until).fit({.positions = c.shape}, FitStart::Warm, there).status,
            FitStatus::Stopped);
        EXPECT_NEAR(seen[i].cost, costOf(c.shape, computeVertices(c.rig, there)),
                    1e-9 * seen[i].cost);
    }
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].iterations, seen[i - 1].iterations + 1);
        EXPECT_LE(seen[i].cost, seen[i - 1].cost * (1.0 + 1e-12));
    }
    // Asked once to end, it ends, whatever the observer would say later.
    int calls = 0;
    options.loss = FitLoss::Huber;
    options.budget.observer = [&](const SolveProgress&) { return ++calls != 3; };
    ControlPose cut = restControlPose(c.rig);
    Fitter fitter = makeFitter(c.rig, options);
    EXPECT_EQ(fitter.fit({.positions = c.shape}, FitStart::Warm, cut).status, FitStatus::Stopped);
    EXPECT_EQ(calls, 3);
}

TEST(FitBudget, OfASkeletonKeepsItsLimitsAndPins) {
    const SkinCase c = makeSkinCase(4);
    const JointId pinned = jointId(c.skeleton.jointCount() - 1);
    for (const bool pins : {false, true}) {
        for (const FitLoss loss : {FitLoss::Squares, FitLoss::Huber}) {
            SkeletonFitOptions options{.loss = loss};
            if (pins) options.pinned = {pinned};
            int stopped = 0;
            for (int most = 1; most < 12; ++most) {
                options.budget = {.iterations = most};
                SkeletonFitter fitter = makeSkeletonFitter(c.skeleton, c.mesh, options);
                for (const FitStart start : {FitStart::Warm, FitStart::Cold}) {
                    Pose pose = restPose(c.skeleton);
                    const FitReport report = fitter.fit({.positions = c.shape}, start, pose);
                    EXPECT_LE(report.iterations, most);
                    stopped += report.status == FitStatus::Stopped ? 1 : 0;
                    EXPECT_LT(limitExcess(c.skeleton, computeDofs(c.skeleton, pose).dofs), 1e-9);
                    EXPECT_NEAR(report.rms, rmsBetween(c.shape, skinOf(c.skeleton, c.mesh, pose)),
                                1e-9);
                }
            }
            EXPECT_GT(stopped, 3) << pins << fitLossName(loss);
        }
    }
}

TEST(FitBudget, WhatPinsGainedIsKept) {
    const SkinCase c = makeSkinCase(6);
    const JointId pinned = jointId(c.skeleton.jointCount() - 1);
    const ModelPose rest = computeModelPose(c.skeleton, restPose(c.skeleton));
    ControlPose driven;
    for (const JointId j : c.skeleton.joints())
        driven.positions.push_back(rest.position(j) + Vec3{40.0, 0.0, 0.0});
    const auto missed = [&](int iterations) {
        SkeletonFitter fitter = makeSkeletonFitter(
            c.skeleton, c.mesh,
            {.budget = {.iterations = iterations}, .move_roots = false, .pinned = {pinned}});
        Pose pose = restPose(c.skeleton);
        const FitReport& report =
            fitter.fit({.positions = c.shape, .driven = &driven}, FitStart::Warm, pose);
        EXPECT_EQ(report.status == FitStatus::Stopped, report.iterations == iterations);
        return distance(computeModelPose(c.skeleton, pose).position(pinned),
                        driven.positions[index(pinned)]);
    };
    // First light pins, then heavier ones from the start again, which is 40 away: while these are
    // not finished the light ones' answer counts.
    for (int iterations = 1; iterations < 120; iterations += 3)
        EXPECT_LT(missed(iterations), 20.0) << iterations;
}

TEST(FitBudget, AStopFlagEndsEveryFrameOfASequence) {
    const SkinCase c = makeSkinCase(5);
    const std::atomic<bool> stop = true;
    const std::vector<FitTargets> frames(20, FitTargets{.positions = c.shape});
    const SkeletonFitter fitter =
        makeSkeletonFitter(c.skeleton, c.mesh, {.budget = {.stop = &stop}});
    for (const unsigned threads : {1U, 3U}) {
        const MotionFit found = fitMotion(fitter, frames, {.threads = threads, .chunk = 4});
        ASSERT_EQ(found.reports.size(), frames.size());
        for (const FitReport& report : found.reports) {
            EXPECT_EQ(report.status, FitStatus::Stopped);
            EXPECT_EQ(report.iterations, 0);
        }
    }
    const RigCase r = makeRigCase(5);
    const std::vector<FitTargets> shapes(6, FitTargets{.positions = r.shape});
    const FitSequence found =
        fitSequence(makeFitter(r.rig, {.budget = {.stop = &stop}}), shapes, restControlPose(r.rig));
    for (const FitReport& report : found.reports) EXPECT_EQ(report.status, FitStatus::Stopped);
}

}  // namespace
}  // namespace ulna
