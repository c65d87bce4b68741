// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/motion.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/skeletons.h"

namespace ulna {
namespace {

Skeleton twoJoints() {
    return test::build({test::joint("root", "", JointKind::Free, {0, 1, 0}),
                        test::joint("arm", "root", JointKind::Ball, {1, 0, 0})});
}

// The root slides along x at one unit a frame, the arm turns about z by 0.2 a frame.
Motion slide(const Skeleton& s, std::size_t frames) {
    Motion motion(restPose(s), frames, 0.5, usualTracks(s));
    for (std::size_t f = 0; f < frames; ++f) {
        Pose pose = restPose(s);
        pose[s.find("root")].translation.x = static_cast<double>(f);
        pose[s.find("arm")].rotation = quatAboutAxis(2, 0.2 * static_cast<double>(f));
        motion.setPose(f, pose);
    }
    return motion;
}

TEST(Motion, OfPosesHasTheTracksThatTheyNeed) {
    const Skeleton s = test::build({test::joint("root", "", JointKind::Free, {0, 1, 0}),
                                    test::joint("arm", "root", JointKind::Ball, {1, 0, 0}),
                                    test::joint("still", "arm", JointKind::Fixed, {1, 0, 0}),
                                    test::joint("turned", "arm", JointKind::Fixed, {0, 1, 0})});
    std::vector<Pose> poses(3, restPose(s));
    for (std::size_t f = 0; f < poses.size(); ++f) {
        const double t = static_cast<double>(f);
        poses[f][s.find("arm")].translation.y = 0.01 * t;
        poses[f][s.find("still")].translation.y = 1e-9 * t;
        poses[f][s.find("turned")].rotation = quatAboutAxis(0, 0.1 * t);
    }
    const Motion motion = makeMotion(s, poses, 0.25, 1e-6);
    EXPECT_EQ(motion.frameTime(), 0.25);
    using Joints = std::vector<JointId>;
    EXPECT_EQ(motion.tracks().rotated, (Joints{s.find("root"), s.find("arm"), s.find("turned")}));
    EXPECT_EQ(motion.tracks().translated, (Joints{s.find("root"), s.find("arm")}));
    for (std::size_t f = 0; f < poses.size(); ++f) {
        const Pose got = motion.pose(f);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            EXPECT_LE(distance(got[jointId(j)].translation, poses[f][jointId(j)].translation),
                      1e-6);
            EXPECT_EQ(got[jointId(j)].rotation, poses[f][jointId(j)].rotation);
        }
    }
}

TEST(Motion, GivesBackThePosesItWasGiven) {
    const Skeleton s = twoJoints();
    const Motion motion = slide(s, 4);
    EXPECT_EQ(motion.duration(), 1.5);
    EXPECT_EQ(motion.pose(3)[s.find("root")].translation, (Vec3{3, 1, 0}));
    EXPECT_EQ(motion.pose(3)[s.find("arm")].rotation, quatAboutAxis(2, 0.2 * 3.0));
    EXPECT_EQ(motion.pose(3)[s.find("arm")].translation, (Vec3{1, 0, 0}));
}

TEST(Motion, SamplesBetweenFramesBySlerpAndLine) {
    const Skeleton s = twoJoints();
    const Motion motion = slide(s, 4);
    const Pose pose = samplePose(motion, 0.625);
    EXPECT_NEAR(pose[s.find("root")].translation.x, 1.25, 1e-14);
    EXPECT_LT(angleBetween(pose[s.find("arm")].rotation, quatAboutAxis(2, 0.25)), 1e-14);
}

TEST(Motion, HoldsItsEndsOutsideItsTime) {
    const Skeleton s = twoJoints();
    const Motion motion = slide(s, 4);
    EXPECT_EQ(samplePose(motion, -5.0), motion.pose(0));
    EXPECT_EQ(samplePose(motion, 1.5), motion.pose(3));
    EXPECT_EQ(samplePose(motion, 99.0), motion.pose(3));
    EXPECT_EQ(samplePose(motion, std::numeric_limits<double>::quiet_NaN()), motion.pose(0));
    EXPECT_EQ(samplePose(slide(s, 1), 0.3), slide(s, 1).pose(0));
}

TEST(Motion, ResamplingKeepsTheEndsAndTheMotionBetween) {
    const Skeleton s = twoJoints();
    const Motion fine = *resampled(slide(s, 4), 0.1);
    EXPECT_EQ(fine.frameCount(), 16U);
    EXPECT_NEAR(fine.pose(15)[s.find("root")].translation.x, 3.0, 1e-12);
    EXPECT_NEAR(fine.pose(7)[s.find("root")].translation.x, 1.4, 1e-12);
    EXPECT_EQ(resampled(slide(s, 0), 0.1)->frameCount(), 0U);
    EXPECT_EQ(resampled(slide(s, 1), 0.1)->frameCount(), 1U);
    EXPECT_FALSE(resampled(slide(s, 4), 1e-9).ok());
    EXPECT_FALSE(resampled(slide(s, 4), 1e-300).ok());
}

}  // namespace
}  // namespace ulna
