// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/smooth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/clips.h"
#include "support/skeletons.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

constexpr double kFrameTime = 0.01;

// One joint that rotates about an axis by an angle of time, under a root that moves along x.
Motion rotating(std::size_t frames, double (*angle)(double), const Vec3& axis = {0, 0, 1}) {
    const Skeleton body = test::build({test::joint("Root", "", JointKind::Free, {}),
                                       test::joint("Arm", "Root", JointKind::Ball, {0, 1, 0})});
    Motion out(restPose(body), frames, kFrameTime, usualTracks(body));
    for (std::size_t f = 0; f < frames; ++f) {
        Pose pose = restPose(body);
        const double t = kFrameTime * static_cast<double>(f);
        pose.parent_from_joint[0].translation = {angle(t), 0, 0};
        pose.parent_from_joint[1].rotation = quatFromAxisAngle(axis, angle(t));
        out.setPose(f, pose);
    }
    return out;
}

double angleAt(const Motion& motion, std::size_t f) {
    const Quat q = motion.pose(f).parent_from_joint[1].rotation;
    return 2.0 * std::atan2(q.z, q.w);
}
double xAt(const Motion& motion, std::size_t f) {
    return motion.pose(f).parent_from_joint[0].translation.x;
}

TEST(Smooth, ConstantSpeedsStayUpToTheEnds) {
    const Motion motion = rotating(100, [](double t) { return 2.0 * t - 0.3; });
    const Motion result = smoothed(motion, {.width = 0.2});
    for (std::size_t f = 0; f < 100; ++f) {
        EXPECT_NEAR(angleAt(result, f), angleAt(motion, f), 1e-12) << f;
        EXPECT_NEAR(xAt(result, f), xAt(motion, f), 1e-12) << f;
    }
}

TEST(Smooth, AWaveIsLoweredAsTheGaussianSaysAndNotDelayed) {
    // A sine of frequency f keeps exp(-2 (pi f s)^2) of its height, s the standard deviation.
    const double frequency = 3.0, width = 0.1;
    const Motion motion =
        rotating(400, [](double t) { return 0.05 * std::sin(2.0 * kPi * 3.0 * t); });
    const Motion result = smoothed(motion, {.width = width});
    const double deviation = width / 2.3548200450309493;
    const double kept = std::exp(-2.0 * std::pow(kPi * frequency * deviation, 2.0));
    for (std::size_t f = 50; f < 350; ++f) {
        EXPECT_NEAR(angleAt(result, f), kept * angleAt(motion, f), 1e-4) << f;
        EXPECT_NEAR(xAt(result, f), kept * xAt(motion, f), 1e-4) << f;
    }
}

TEST(Smooth, ACutoffLetsHalfOfThePowerPass) {
    const double deviation = smoothingWidth(6.0) / 2.3548200450309493;
    EXPECT_NEAR(std::exp(-2.0 * std::pow(kPi * 6.0 * deviation, 2.0)), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(smoothingWidth(6.0), 0.312 / 6.0, 1e-4);
}

TEST(Smooth, NoiseIsLoweredAndNothingIsChangedByMoreThanItsBound) {
    const test::Clip clip = test::randomClip(11, 200);
    Motion noisy = clip.motion;
    Random random(12);
    for (std::size_t f = 0; f < 200; ++f) {
        Pose pose = noisy.pose(f);
        for (const JointId j : noisy.tracks().rotated) {
            const Vec3 axis = random.direction();
            pose[j].rotation = pose[j].rotation * quatFromAxisAngle(axis, random.between(0.0, 0.2));
        }
        noisy.setPose(f, pose);
    }
    const double bound = radians(5.0);
    const Motion result = smoothed(noisy, {.width = 0.15, .most_rotation = bound});
    double before = 0.0, after = 0.0;
    for (std::size_t f = 0; f < 200; ++f) {
        const Pose a = clip.motion.pose(f), b = noisy.pose(f), c = result.pose(f);
        for (const JointId j : noisy.tracks().rotated) {
            EXPECT_LT(angleBetween(b[j].rotation, c[j].rotation), bound);
            before += angleBetween(a[j].rotation, b[j].rotation);
            after += angleBetween(a[j].rotation, c[j].rotation);
        }
    }
    EXPECT_LT(after, 0.75 * before);
    // With no bound in the way, most of it goes.
    const Motion free = smoothed(noisy, {.width = 0.15, .most_rotation = 3.0});
    double freed = 0.0;
    for (std::size_t f = 0; f < 200; ++f)
        for (const JointId j : noisy.tracks().rotated)
            freed += angleBetween(clip.motion.pose(f)[j].rotation, free.pose(f)[j].rotation);
    EXPECT_LT(freed, 0.6 * before);
}

TEST(Smooth, TheRootIsMovedByLessThanItsBound) {
    const Motion motion = rotating(60, [](double t) { return t < 0.3 ? 0.0 : 1.0; });
    const Motion result = smoothed(motion, {.width = 0.1, .most_translation = 0.02});
    double most = 0.0;
    for (std::size_t f = 0; f < 60; ++f)
        most = std::max(most, std::abs(xAt(result, f) - xAt(motion, f)));
    EXPECT_LT(most, 0.02);
    EXPECT_GT(most, 0.019);
}

TEST(Smooth, SpinsThatPassHalfARevolutionWithinTheWidthStay) {
    const Motion motion = rotating(120, [](double t) { return 25.0 * t; });
    const Motion result = smoothed(motion, {.width = 0.3, .most_rotation = 3.0});
    for (std::size_t f = 0; f < 120; ++f)
        EXPECT_LT(angleBetween(motion.pose(f).parent_from_joint[1].rotation,
                               result.pose(f).parent_from_joint[1].rotation),
                  1e-9)
            << f;
}

TEST(Smooth, TheSignsOfQuaternionsDoNotMatter) {
    const Motion motion = rotating(80, [](double t) { return std::sin(9.0 * t); });
    Motion flipped = motion;
    for (std::size_t f = 0; f < 80; f += 3) {
        Pose pose = flipped.pose(f);
        pose.parent_from_joint[1].rotation = -pose.parent_from_joint[1].rotation;
        flipped.setPose(f, pose);
    }
    const Motion a = smoothed(motion), b = smoothed(flipped);
    for (std::size_t f = 0; f < 80; ++f)
        EXPECT_LT(angleBetween(a.pose(f).parent_from_joint[1].rotation,
                               b.pose(f).parent_from_joint[1].rotation),
                  1e-12);
}

TEST(Smooth, WhatDoesNotMoveKeepsItsBits) {
    const Motion motion = rotating(40, [](double) { return 0.7; });
    const Motion result = smoothed(motion);
    for (std::size_t f = 0; f < 40; ++f) EXPECT_EQ(result.pose(f), motion.pose(f));
}

TEST(Smooth, ShortClipsAndWindowsLongerThanTheClipAreTaken) {
    for (const std::size_t frames : {0u, 1u, 2u, 3u, 7u}) {
        const Motion motion = rotating(frames, [](double t) { return 40.0 * t * t; });
        const Motion result = smoothed(motion, {.width = 5.0});
        ASSERT_EQ(result.frameCount(), frames);
        if (frames == 0) continue;
        EXPECT_EQ(result.pose(0), motion.pose(0));
        EXPECT_EQ(result.pose(frames - 1), motion.pose(frames - 1));
    }
}

}  // namespace
}  // namespace ulna
