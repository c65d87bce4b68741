// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/skeleton_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "support/allocations.h"
#include "support/fit.h"
#include "support/grippers.h"
#include "support/skeleton_fits.h"
#include "support/skeletons.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::clampedDofs;
using test::joint;
using test::limitedArm;
using test::makeSkeletonFitter;
using test::meshAround;
using test::rmsBetween;
using test::skinOf;

TEST(SkeletonFit, SaysWhichJointFollowsAnother) {
    const Skeleton gripper = test::build(test::gripperJoints());
    Random random(1);
    const Result<SkeletonFitter> fitter =
        SkeletonFitter::make(gripper, meshAround(gripper, 60, random), {});
    ASSERT_FALSE(fitter);
    EXPECT_EQ(fitter.error().what, "joint 'right' follows 'left', which fits cannot keep up");
}

TEST(SkeletonFit, RecoversPosesOfEveryKindOfJointInsideTheirLimits) {
    const Skeleton skeleton = limitedArm();
    Random random(1);
    const Mesh mesh = meshAround(skeleton, 600, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    for (int sample = 0; sample < 20; ++sample) {
        const Pose truth = computePose(skeleton, clampedDofs(skeleton, random));
        const std::vector<Vec3> shape = skinOf(skeleton, mesh, truth);
        Pose pose = restPose(skeleton);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged) << sample;
        EXPECT_LT(rmsBetween(shape, skinOf(skeleton, mesh, pose)), 1e-8) << sample;
        EXPECT_LT(limitExcess(skeleton, computeDofs(skeleton, pose).dofs), 1e-9) << sample;
        EXPECT_EQ(report.rank, report.freedoms);
    }
}

TEST(SkeletonFit, EveryKindOfJointAndRestRotationsAreRecovered) {
    const Skeleton skeleton = test::everyKind();
    Random random(2);
    const Mesh mesh = meshAround(skeleton, 3000, random);
    SkeletonFitter fitter =
        makeSkeletonFitter(skeleton, mesh, {.limits = false, .move_roots = false});
    for (int sample = 0; sample < 5; ++sample) {
        const Pose truth = computePose(skeleton, test::randomDofs(skeleton, random, 0.3));
        const std::vector<Vec3> shape = skinOf(skeleton, mesh, truth);
        Pose pose = restPose(skeleton);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
        EXPECT_LT(rmsBetween(shape, skinOf(skeleton, mesh, pose)), 1e-6)
            << sample << " " << fitStatusName(report.status) << " " << report.iterations;
    }
}

TEST(SkeletonFit, LimitsHoldWhereTheShapeGoesBeyondThem) {
    const Skeleton limited = limitedArm();
    std::vector<JointDef> free_joints(limited.definitions().begin(), limited.definitions().end());
    for (JointDef& def : free_joints) {
        def.cone = {};
        def.limits = {};
        if (def.kind != JointKind::Free) def.kind = JointKind::Ball;
    }
    const Skeleton free = test::build(free_joints);
    Random random(3);
    const Mesh mesh = meshAround(limited, 600, random);
    SkeletonFitter fitter = makeSkeletonFitter(limited, mesh);
    for (int sample = 0; sample < 20; ++sample) {
        const Pose wild = computePose(free, test::randomDofs(free, random, 1.2));
        const std::vector<Vec3> shape = skinOf(free, mesh, wild);
        Pose pose = restPose(limited);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
        EXPECT_NE(report.status, FitStatus::MaxIterations) << sample;
        const DofFit dofs = computeDofs(limited, pose);
        EXPECT_LT(limitExcess(limited, dofs.dofs), 1e-9) << sample;
        EXPECT_LT(dofs.rotation_residual, 1e-9) << sample;
        EXPECT_NEAR(report.rms, rmsBetween(shape, skinOf(limited, mesh, pose)), 1e-9);
        // No allowed pose nearby is better.
        for (int other = 0; other < 40; ++other) {
            DofVector near = dofs.dofs;
            for (double& d : near) d += random.between(-1e-3, 1e-3);
            clampToLimits(limited, near);
            const double there =
                rmsBetween(shape, skinOf(limited, mesh, computePose(limited, near)));
            EXPECT_GT(there, report.rms - 1e-9) << sample;
        }
    }
}

TEST(SkeletonFit, OfFreeBallsAgreesWithTheFitOfControlPoints) {
    Random random(4);
    const Skeleton skeleton = test::randomTree(10, random);
    const Mesh mesh = meshAround(skeleton, 800, random);
    const Pose truth = test::turnedPose(skeleton, random);
    const std::vector<Vec3> shape = test::withNoise(skinOf(skeleton, mesh, truth), 0.01, random);
    const FitRig rig = *makeFitRig(skeleton, mesh);
    Fitter points = test::makeFitter(rig);
    ControlPose control = restControlPose(rig);
    const FitReport by_points = points.fit({.positions = shape}, FitStart::Cold, control);
    SkeletonFitter joints = makeSkeletonFitter(skeleton, mesh);
    Pose pose = restPose(skeleton);
    const FitReport& by_joints = joints.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_NEAR(by_joints.rms, by_points.rms, 1e-9);
    EXPECT_EQ(by_joints.freedoms, by_points.freedoms);
    const ModelPose a = computeModelPose(skeleton, pose);
    for (std::size_t j = 0; j < 10; ++j)
        EXPECT_LT(distance(a.position(jointId(j)), control.positions[j]), 1e-6);
}

TEST(SkeletonFit, InThePlane) {
    const double lengths[] = {0.5, 0.4, 0.3};
    const Skeleton skeleton = test::planarChain(lengths);
    Random random(5);
    const Mesh mesh = meshAround(skeleton, 200, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.move_roots = false});
    const Pose truth = computePose(skeleton, test::randomDofs(skeleton, random, 1.2));
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, truth);
    Pose pose = restPose(skeleton);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_LT(rmsBetween(shape, skinOf(skeleton, mesh, pose)), 1e-9);
    EXPECT_EQ(report.freedoms, skeleton.dofCount());
    // With its root free to move, a chain that was carried off is found too.
    SkeletonFitter moving = makeSkeletonFitter(skeleton, mesh);
    std::vector<Vec3> far = shape;
    for (Vec3& v : far) v += Vec3{1.0, -2.0, 0.0};
    static_cast<void>(moving.fit({.positions = far}, FitStart::Cold, pose));
    // Weights in float sum to 1 within 1e-7, so a skin does not quite move by whole steps.
    EXPECT_LT(rmsBetween(far, skinOf(skeleton, mesh, pose)), 1e-6);
}

TEST(SkeletonFit, LockedJointsStayAsTheyAre) {
    const Skeleton skeleton = limitedArm();
    Random random(6);
    const Mesh mesh = meshAround(skeleton, 400, random);
    const JointId elbow = skeleton.find("elbow");
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.locked = {elbow}});
    DofVector bent = clampedDofs(skeleton, random);
    bent[skeleton.firstDof(elbow)] = 1.0;
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, computePose(skeleton, bent));
    Pose pose = restPose(skeleton);
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Cold, pose));
    EXPECT_EQ(pose[elbow], restPose(skeleton)[elbow]);
}

TEST(SkeletonFit, JointsThatNothingShowsStayAndAreNamed) {
    const Skeleton skeleton = limitedArm();
    Random random(7);
    Mesh mesh = meshAround(skeleton, 400, random);
    // Nothing is weighted on wrist and fingers.
    const JointId elbow = skeleton.find("elbow");
    for (Influence& influence : mesh.weights.influences)
        if (index(influence.joint) > index(elbow)) influence.joint = elbow;
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    DofVector dofs = clampedDofs(skeleton, random);
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, computePose(skeleton, dofs));
    Pose pose = restPose(skeleton);
    const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_LT(report.rms, 1e-8);
    EXPECT_EQ(report.undetermined, (std::vector<std::uint32_t>{3, 4}));
    EXPECT_EQ(report.rank, report.freedoms - 5);
    EXPECT_LT(angleBetween(pose.parent_from_joint[3].rotation, Quat{}), 1e-7);
}

TEST(SkeletonFit, BadTargetsMasksAndOutliers) {
    const Skeleton skeleton = limitedArm();
    Random random(8);
    const Mesh mesh = meshAround(skeleton, 1000, random);
    const Pose truth = computePose(skeleton, clampedDofs(skeleton, random));
    const std::vector<Vec3> clean = skinOf(skeleton, mesh, truth);
    std::vector<Vec3> shape = clean;
    shape[7].z = std::numeric_limits<double>::quiet_NaN();
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    Pose pose = restPose(skeleton);
    EXPECT_EQ(fitter.fit({.positions = shape}, FitStart::Cold, pose).status, FitStatus::BadTarget);
    EXPECT_EQ(pose, restPose(skeleton));
    std::vector<double> mask(1000, 1.0);
    mask[7] = 0.0;
    EXPECT_LT(fitter.fit({.positions = shape, .mask = mask}, FitStart::Cold, pose).rms, 1e-8);

    shape = test::withNoise(clean, 0.001, random);
    for (std::size_t i = 0; i < shape.size(); i += 8) shape[i] += random.direction() * 0.4;
    SkeletonFitter robust = makeSkeletonFitter(skeleton, mesh, {.loss = FitLoss::GemanMcClure});
    pose = restPose(skeleton);
    const FitReport& report = robust.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_LT(rmsBetween(clean, skinOf(skeleton, mesh, pose)), 0.001);
    ASSERT_TRUE(report.robust);
    EXPECT_EQ(report.robust->counted, 1000U);
    EXPECT_NEAR(static_cast<double>(report.robust->inliers), 0.97 * 875.0, 40.0);
    EXPECT_NEAR(report.robust->weighted_rms, std::sqrt(3.0) * 0.001, 0.0005);
    EXPECT_GT(report.rms, 0.1);
}

TEST(SkeletonFit, AVertexOfMassTwoCountsAsTwoVertices) {
    const Skeleton skeleton = limitedArm();
    Random random(21);
    const Mesh mesh = meshAround(skeleton, 300, random);
    Mesh repeated;
    std::vector<double> masses;
    std::vector<Vec3> repeated_shape;
    const std::vector<Vec3> target = test::withNoise(
        skinOf(skeleton, mesh, computePose(skeleton, clampedDofs(skeleton, random))), 0.02, random);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        masses.push_back(i % 3 == 0 ? 2.0 : 1.0);
        for (int copy = 0; copy < (i % 3 == 0 ? 2 : 1); ++copy) {
            repeated.positions.push_back(mesh.positions[i]);
            repeated.weights.addRow(mesh.weights[i]);
            repeated_shape.push_back(target[i]);
        }
    }
    Pose pose = restPose(skeleton), twice = pose, plain = pose;
    SkeletonFitter heavy = makeSkeletonFitter(skeleton, mesh, {.masses = masses});
    const FitReport report = heavy.fit({.positions = target}, FitStart::Cold, pose);
    const double rms = makeSkeletonFitter(skeleton, repeated)
                           .fit({.positions = repeated_shape}, FitStart::Cold, twice)
                           .rms;
    static_cast<void>(
        makeSkeletonFitter(skeleton, mesh).fit({.positions = target}, FitStart::Cold, plain));
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_NEAR(report.rms, rms, 1e-9);
    EXPECT_LT(rmsBetween(skinOf(skeleton, mesh, pose), skinOf(skeleton, mesh, twice)), 1e-7);
    EXPECT_GT(rmsBetween(skinOf(skeleton, mesh, pose), skinOf(skeleton, mesh, plain)), 1e-4);

    masses.pop_back();
    EXPECT_FALSE(SkeletonFitter::make(skeleton, mesh, {.masses = masses}).ok());
}

TEST(SkeletonFit, ARobustFitAfterABadFrameIsAsGoodAsTheFirst) {
    const Skeleton skeleton = limitedArm();
    Random random(13);
    const Mesh mesh = meshAround(skeleton, 300, random);
    std::vector<Vec3> shape = test::withNoise(
        skinOf(skeleton, mesh, computePose(skeleton, clampedDofs(skeleton, random))), 0.01, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.loss = FitLoss::Huber});
    Pose pose = restPose(skeleton);
    const FitReport first = fitter.fit({.positions = shape}, FitStart::Cold, pose);
    EXPECT_NEAR(first.rms, rmsBetween(shape, skinOf(skeleton, mesh, pose)), 1e-12);
    const Vec3 kept = std::exchange(shape[3], Vec3{std::nan(""), 0, 0});
    EXPECT_EQ(fitter.fit({.positions = shape}, FitStart::Warm, pose).status, FitStatus::BadTarget);
    shape[3] = kept;
    const FitReport& again = fitter.fit({.positions = shape}, FitStart::Warm, pose);
    EXPECT_EQ(again.status, FitStatus::Converged);
    EXPECT_EQ(again.rank, first.rank);
    EXPECT_NEAR(again.rms, first.rms, 1e-9);
}

TEST(SkeletonFit, StretchAndScaleOfTheStartStay) {
    const Skeleton skeleton = limitedArm();
    Random random(14);
    const Mesh mesh = meshAround(skeleton, 600, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    const auto stretched = [&](Pose pose) {
        pose.parent_from_joint[1].scale = {1.2, 1.2, 1.2};
        pose.parent_from_joint[2].translation *= 1.3;
        return pose;
    };
    const Pose start = stretched(restPose(skeleton));
    const std::vector<Vec3> shape =
        skinOf(skeleton, mesh, stretched(computePose(skeleton, clampedDofs(skeleton, random))));
    for (const FitStart how : {FitStart::Cold, FitStart::Warm}) {
        Pose pose = start;
        static_cast<void>(fitter.fit({.positions = shape}, how, pose));
        EXPECT_LT(rmsBetween(shape, skinOf(skeleton, mesh, pose)), 1e-8);
        EXPECT_EQ(pose.parent_from_joint[1].scale, start.parent_from_joint[1].scale);
        EXPECT_EQ(pose.parent_from_joint[2].translation, start.parent_from_joint[2].translation);
    }
}

TEST(SkeletonFit, SlidesHoldTheirLimitsFromAnyStart) {
    JointDef slider = joint("slider", "", JointKind::Prismatic, {0, 0, 0});
    slider.axes[0] = {1, 0, 0};
    slider.limits[0] = {-0.1, 0.2};
    const Skeleton skeleton = test::build({slider});
    Random random(15);
    const Mesh mesh = meshAround(skeleton, 50, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.move_roots = false});
    for (const double start : {0.0, 5.0, -5.0}) {
        for (const double asked : {-1.0, -0.05, 0.15, 1.0}) {
            std::vector<Vec3> shape = skinOf(skeleton, mesh, restPose(skeleton));
            for (Vec3& v : shape) v.x += asked;
            Pose pose = restPose(skeleton);
            pose.parent_from_joint[0].translation.x += start;
            static_cast<void>(fitter.fit({.positions = shape}, FitStart::Warm, pose));
            EXPECT_NEAR(pose.parent_from_joint[0].translation.x, std::clamp(asked, -0.1, 0.2), 1e-9)
                << start << " " << asked;
        }
    }
}

TEST(SkeletonFit, ARootThatIsSetFreeHasNoLimits) {
    JointDef root = joint("root", "", JointKind::Ball, {0, 0, 0});
    for (std::size_t k = 0; k < 3; ++k) root.limits[k] = {-0.1, 0.1};
    const Skeleton skeleton = test::build({root, joint("tip", "root", JointKind::Ball, {1, 0, 0})});
    Random random(16);
    const Mesh mesh = meshAround(skeleton, 200, random);
    Pose truth = restPose(skeleton);
    truth.parent_from_joint[0].rotation = quatFromAxisAngle(Vec3{0, 0.6, 0.8}, 1.5);
    truth.parent_from_joint[0].translation = {3, 2, 1};
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, truth);
    Pose moved = restPose(skeleton), held = moved;
    static_cast<void>(
        makeSkeletonFitter(skeleton, mesh).fit({.positions = shape}, FitStart::Warm, moved));
    EXPECT_LT(rmsBetween(shape, skinOf(skeleton, mesh, moved)), 1e-8);
    static_cast<void>(makeSkeletonFitter(skeleton, mesh, {.move_roots = false})
                          .fit({.positions = shape}, FitStart::Warm, held));
    EXPECT_LT(limitExcess(skeleton, computeDofs(skeleton, held).dofs), 1e-9);
}

TEST(SkeletonFit, WhatIsOpenIsNamedWhateverTheUnit) {
    // A slide across and a turn of an arm do the same to its one vertex that counts; the other only
    // tells the size.
    for (const double unit : {1.0, 1e4}) {
        JointDef slider = joint("slider", "", JointKind::Prismatic, {0, 0, 0});
        slider.axes[0] = {0, 1, 0};
        JointDef arm = joint("arm", "slider", JointKind::Hinge, {0, 0, 0});
        arm.axes[0] = {0, 0, 1};
        const Skeleton skeleton = test::build({slider, arm});
        Mesh mesh;
        mesh.positions = {{static_cast<float>(unit), 0, 0}, {0, 0, 0}};
        for (int i = 0; i < 2; ++i) mesh.weights.addRow(std::array{Influence{jointId(1), 1.0f}});
        SkeletonFitter fitter =
            makeSkeletonFitter(skeleton, mesh, {.move_roots = false, .masses = {1.0, 0.0}});
        Pose pose = restPose(skeleton);
        const FitReport& report =
            fitter.fit({.positions = skinOf(skeleton, mesh, pose)}, FitStart::Warm, pose);
        EXPECT_EQ(report.rank, 1U);
        EXPECT_EQ(report.undetermined, (std::vector<std::uint32_t>{0, 1})) << unit;
    }
}

TEST(SkeletonFit, AllMaskedLeavesThePose) {
    const Skeleton skeleton = limitedArm();
    Random random(9);
    const Mesh mesh = meshAround(skeleton, 100, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    const std::vector<double> nothing(100, 0.0);
    const Pose before = computePose(skeleton, clampedDofs(skeleton, random));
    Pose pose = before;
    const FitReport& report = fitter.fit(
        {.positions = skinOf(skeleton, mesh, pose), .mask = nothing}, FitStart::Warm, pose);
    EXPECT_EQ(report.rank, 0U);
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
        EXPECT_LT(
            angleBetween(pose.parent_from_joint[j].rotation, before.parent_from_joint[j].rotation),
            1e-7);
}

TEST(SkeletonFit, AllocatesNothingAfterItsFirstFit) {
    const Skeleton skeleton = limitedArm();
    Random random(11);
    const Mesh mesh = meshAround(skeleton, 300, random);
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh);
    const std::vector<Vec3> shape =
        skinOf(skeleton, mesh, computePose(skeleton, clampedDofs(skeleton, random)));
    Pose pose = restPose(skeleton);
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Warm, pose));
    pose = restPose(skeleton);
    const long before = test::allocationCount();
    static_cast<void>(fitter.fit({.positions = shape}, FitStart::Warm, pose));
    EXPECT_EQ(test::allocationCount(), before);
}

TEST(SkeletonFit, SmoothnessHoldsThePoseNearItsStart) {
    const Skeleton skeleton = limitedArm();
    Random random(12);
    const Mesh mesh = meshAround(skeleton, 300, random);
    const Pose truth = computePose(skeleton, clampedDofs(skeleton, random));
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, truth);
    double before = 1e-4;
    Pose pose;
    for (const double smoothness : {0.01, 1.0, 100.0}) {
        SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.smoothness = smoothness});
        pose = restPose(skeleton);
        const FitReport& report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        EXPECT_GT(report.rms, 2.0 * before) << smoothness;
        before = report.rms;
    }
    for (const Trs& own : pose.parent_from_joint) EXPECT_LT(rotationAngle(own.rotation), 0.05);
}

TEST(SkeletonFit, PinnedJointsStayWhereTheyAreToldWhileTheRestNearsTheShape) {
    const Skeleton skeleton = limitedArm();
    Random random(41);
    const Mesh mesh = meshAround(skeleton, 600, random);
    const JointId wrist = skeleton.find("wrist");
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.pinned = {wrist}});
    SkeletonFitter loose = makeSkeletonFitter(skeleton, mesh);
    for (int sample = 0; sample < 10; ++sample) {
        const std::vector<Vec3> shape =
            skinOf(skeleton, mesh, computePose(skeleton, clampedDofs(skeleton, random)));
        ControlPose driven;
        driven.positions.resize(skeleton.jointCount());
        // A place that the wrist can take: the root is free.
        const Pose other = computePose(skeleton, clampedDofs(skeleton, random));
        const Vec3 place = computeModelPose(skeleton, other).position(wrist);
        driven.positions[index(wrist)] = place;
        for (const FitStart start : {FitStart::Cold, FitStart::Warm}) {
            Pose pose = restPose(skeleton);
            const FitReport report =
                fitter.fit({.positions = shape, .driven = &driven}, start, pose);
            EXPECT_EQ(report.status, FitStatus::Converged)
                << sample << " " << report.gradient << " " << report.iterations;
            EXPECT_LT(length(computeModelPose(skeleton, pose).position(wrist) - place), 1e-8);
            EXPECT_LT(limitExcess(skeleton, computeDofs(skeleton, pose).dofs), 1e-9);
            const double rms = rmsBetween(shape, skinOf(skeleton, mesh, pose));
            EXPECT_NEAR(report.rms, rms, 1e-12);
            EXPECT_EQ(report.rank, report.freedoms);
            // Nothing near it that holds the pin is nearer to the shape: the whole body slid with
            // one joint turned about the wrist.
            for (int nudge = 0; nudge < 50; ++nudge) {
                DofVector dofs = computeDofs(skeleton, pose).dofs;
                for (double& x : dofs) x += random.between(-1e-3, 1e-3);
                clampToLimits(skeleton, dofs);
                Pose near = computePose(skeleton, dofs);
                near.parent_from_joint[0].translation +=
                    place - computeModelPose(skeleton, near).position(wrist);
                EXPECT_GE(rmsBetween(shape, skinOf(skeleton, mesh, near)), rms - 1e-9);
            }
        }
    }
}

TEST(SkeletonFit, JointsPinnedWithoutAPlaceStayWhereTheStartHasThem) {
    const Skeleton skeleton = limitedArm();
    const JointId shoulder = skeleton.find("shoulder"), wrist = skeleton.find("wrist");
    const JointId root = skeleton.find("root");
    int held = 0;
    constexpr int kSamples = 60;
    for (int sample = 0; sample < kSamples; ++sample) {
        Random random(static_cast<std::uint64_t>(sample));
        const Mesh mesh = meshAround(skeleton, 600, random);
        SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, {.pinned = {shoulder, wrist}});
        const DofVector other = clampedDofs(skeleton, random);
        const std::vector<Vec3> shape = skinOf(skeleton, mesh, computePose(skeleton, other));
        DofVector bent(skeleton.dofCount(), 0.0);
        bent[skeleton.firstDof(skeleton.find("elbow"))] = 1.0;
        Pose pose = computePose(skeleton, bent);
        const ModelPose before = computeModelPose(skeleton, pose);
        const FitReport report = fitter.fit({.positions = shape}, FitStart::Warm, pose);
        const ModelPose after = computeModelPose(skeleton, pose);
        const double moved = std::max(length(after.position(shoulder) - before.position(shoulder)),
                                      length(after.position(wrist) - before.position(wrist)));
        EXPECT_EQ(report.status == FitStatus::Converged, moved < 1e-8) << sample << " " << moved;
        EXPECT_GT(length(after.position(root) - before.position(root)), 1e-3) << sample;
        held += moved < 1e-8 ? 1 : 0;
    }
    // An arm that its shape stretches straight may stay so: rare, and then it is said.
    EXPECT_GE(held, kSamples - 2);
}

TEST(SkeletonFit, APinOutOfReachIsNearedAndTheLimitsHold) {
    const Skeleton skeleton = limitedArm();
    Random random(43);
    const Mesh mesh = meshAround(skeleton, 600, random);
    const JointId wrist = skeleton.find("wrist");
    SkeletonFitter fitter = makeSkeletonFitter(
        skeleton, mesh, {.move_roots = false, .locked = {jointId(0)}, .pinned = {wrist}});
    const Pose start = restPose(skeleton);
    const std::vector<Vec3> shape = skinOf(skeleton, mesh, start);
    ControlPose driven;
    driven.positions.resize(skeleton.jointCount());
    driven.positions[index(wrist)] = {3.0, 0.4, 0.0};  // along the arm at rest, which is straight
    Pose pose = start;
    const FitReport report =
        fitter.fit({.positions = shape, .driven = &driven}, FitStart::Warm, pose);
    EXPECT_TRUE(std::isfinite(report.rms));
    EXPECT_LT(limitExcess(skeleton, computeDofs(skeleton, pose).dofs), 1e-9);
    EXPECT_LT(length(computeModelPose(skeleton, pose).position(wrist) - Vec3{0.75, 0.4, 0.0}),
              1e-6);
}

}  // namespace
}  // namespace ulna
