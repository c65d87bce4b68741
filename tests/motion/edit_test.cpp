// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/edit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/clips.h"
#include "ulna/motion/root_motion.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::apart;

TEST(Trimmed, KeepsTheFramesBetweenTheTimesToTheBit) {
    const test::Clip clip = test::randomClip(3, 20);
    const Motion part = *trimmed(clip.motion, 4 * clip.motion.frameTime(), 0.45);
    ASSERT_EQ(part.frameCount(), 10U);  // frames 4 to 13 of 1/30 s: 0.4333 s is the last before
    for (std::size_t f = 0; f < part.frameCount(); ++f)
        EXPECT_EQ(part.pose(f), clip.motion.pose(f + 4));
}

TEST(Trimmed, SamplesBetweenFramesWhereItBeginsThere) {
    const test::Clip clip = test::randomClip(3, 20);
    const double from = 4.3 * clip.motion.frameTime();
    const Motion part = *trimmed(clip.motion, from, 1e9);
    EXPECT_EQ(part.frameCount(), 15U);
    EXPECT_LT(apart(part.pose(2), samplePose(clip.motion, from + part.timeOf(2))), 1e-12);
}

TEST(Trimmed, TakesTimesBeyondTheClipAsItsEnds) {
    const test::Clip clip = test::randomClip(3, 20);
    EXPECT_EQ(trimmed(clip.motion, -5, 1e9)->frameCount(), 20U);
    EXPECT_EQ(trimmed(clip.motion, 0.2, 0.2)->frameCount(), 1U);
    EXPECT_EQ(trimmed(clip.motion, 50, 60)->frameCount(), 1U);
    EXPECT_EQ(trimmed(Motion(), 0, 1)->frameCount(), 0U);
}

TEST(Trimmed, GoesToAnotherRateWithoutCuttingTwice) {
    const test::Clip clip = test::randomClip(3, 20);  // 1/30 s
    const Motion part = *trimmed(clip.motion, 0.11, 0.51, 0.05);
    ASSERT_EQ(part.frameCount(), 9U);  // 0.4 s are 8 steps, and 12 of the clip's own
    EXPECT_EQ(part.frameTime(), 0.05);
    for (std::size_t f = 0; f < part.frameCount(); ++f)
        EXPECT_LT(apart(part.pose(f), samplePose(clip.motion, 0.11 + part.timeOf(f))), 1e-12);
}

TEST(Resampled, KeepsTheLastFrameOfARoundedRate) {
    // 601 frames of 0.016666 s, which is 1/60 s to five digits, last 0.0004 s less than 10 s.
    const test::Clip clip = test::randomClip(3, 2);
    const Motion rounded(clip.motion.base(), 601, 0.016666, clip.motion.tracks());
    EXPECT_EQ(resampled(rounded, 1.0 / 30.0)->frameCount(), 301U);
    const Motion shorter(clip.motion.base(), 600, 0.016666, clip.motion.tracks());
    EXPECT_EQ(resampled(shorter, 1.0 / 30.0)->frameCount(), 300U);
}

TEST(Trimmed, RefusesTimesInTheWrongOrder) {
    const test::Clip clip = test::randomClip(3, 20);
    EXPECT_FALSE(trimmed(clip.motion, 0.5, 0.2));
    EXPECT_FALSE(trimmed(clip.motion, std::nan(""), 0.2));
}

TEST(Reversed, TwiceIsTheClipItself) {
    const test::Clip clip = test::randomClip(4, 9);
    const Motion back = reversed(clip.motion);
    for (std::size_t f = 0; f < 9; ++f) {
        EXPECT_EQ(back.pose(f), clip.motion.pose(8 - f));
        EXPECT_EQ(reversed(back).pose(f), clip.motion.pose(f));
    }
    EXPECT_EQ(reversed(Motion()).frameCount(), 0U);
}

TEST(AtSpeed, PlaysTheSamePosesSooner) {
    const test::Clip clip = test::randomClip(5, 31);
    const Motion fast = *atSpeed(clip.motion, 2.0);
    EXPECT_EQ(fast.frameCount(), 16U);
    for (std::size_t f = 0; f < 16; ++f)
        EXPECT_LT(apart(fast.pose(f), clip.motion.pose(2 * f)), 1e-12);
    const Motion slow = *atSpeed(clip.motion, 0.5);
    EXPECT_EQ(slow.frameCount(), 61U);
    EXPECT_FALSE(atSpeed(clip.motion, 1e-9)) << "that would be thirty million frames";
}

TEST(Joined, PlaysOneClipThenTheOther) {
    const test::Clip a = test::randomClip(6, 10), b = test::randomClip(7, 12);
    const Motion both = *joined(a.skeleton, a.motion, b.motion);
    ASSERT_EQ(both.frameCount(), 22U);
    for (std::size_t f = 0; f < 22; ++f)
        EXPECT_LT(apart(both.pose(f), f < 10 ? a.motion.pose(f) : b.motion.pose(f - 10)), 1e-9);
}

TEST(Joined, FadesFromOneIntoTheOther) {
    const test::Clip a = test::randomClip(6, 31), b = test::randomClip(7, 31);
    const Motion both = *joined(a.skeleton, a.motion, b.motion, {.blend = 0.5});
    EXPECT_NEAR(both.duration(), 1.5, 1e-9);
    EXPECT_EQ(both.pose(15), a.motion.pose(15));
    EXPECT_LT(apart(both.pose(30), b.motion.pose(15)), 1e-9);
    // Halfway both weigh the same: by slerp of each joint.
    const std::size_t middle = 22;
    const Pose one = a.motion.pose(middle), other = b.motion.pose(middle - 15);
    const double u = (7.0 / 15.0);
    const double share = u * u * (3 - 2 * u);
    for (std::size_t j = 0; j < a.skeleton.jointCount(); ++j) {
        const Quat expected = slerp(one[jointId(j)].rotation, other[jointId(j)].rotation, share);
        EXPECT_LT(angleBetween(both.pose(middle)[jointId(j)].rotation, expected), 1e-9);
    }
}

TEST(Joined, GoesOnFromWhereTheRootHasGot) {
    // Two straight walks, the second elsewhere and facing another way.
    const test::Clip walk = test::straightWalk(30, 1.2);
    const Motion elsewhere =
        movedMotion(walk.skeleton, {{5, 0, -3}, quatAboutAxis(1, 1.9)}, walk.motion);
    const Motion both = *joined(walk.skeleton, walk.motion, elsewhere, {.carry_root = true});
    for (std::size_t f = 0; f < both.frameCount(); ++f) {
        const Vec3 at = both.pose(f)[jointId(0)].translation;
        EXPECT_LT(length(at - Vec3{0, 1, 1.2 * both.timeOf(f)}), 1e-9) << f;
    }
}

TEST(Joined, ResamplesTheSecondAndKeepsWhatOnlyOneOfThemMoves) {
    const test::Clip a = test::randomClip(8, 10);
    const Motion fine = *resampled(a.motion, a.motion.frameTime() / 4);
    const Motion still(restPose(a.skeleton), 5, a.motion.frameTime(), {});
    const Motion both = *joined(a.skeleton, still, fine);
    EXPECT_EQ(both.frameCount(), 15U);
    EXPECT_LT(apart(both.pose(14), a.motion.pose(9)), 1e-9);
    EXPECT_EQ(both.pose(4), restPose(a.skeleton));
}

TEST(Joined, RefusesClipsOfOtherSkeletons) {
    const test::Clip a = test::randomClip(8, 10), walk = test::straightWalk(10, 1.0);
    EXPECT_FALSE(joined(a.skeleton, a.motion, walk.motion));
    EXPECT_EQ(joined(a.skeleton, a.motion, Motion())->frameCount(), 10U);
    EXPECT_EQ(joined(a.skeleton, Motion(), a.motion)->frameCount(), 10U);
}

TEST(Looped, EndsAsItBeginsWithoutAJump) {
    const test::Clip clip = test::randomClip(9, 61);
    const Motion loop = looped(clip.skeleton, clip.motion, {.blend = 0.6});
    ASSERT_EQ(loop.frameCount(), 61U);
    // In place, the two ends are the same pose.
    const RootMotion split = splitRootMotion(clip.skeleton, loop);
    EXPECT_LT(apart(split.in_place.pose(0), split.in_place.pose(60)), 1e-12);
    // Away from the seam nothing changes.
    for (std::size_t f = 10; f <= 50; ++f)
        EXPECT_LT(apart(loop.pose(f), clip.motion.pose(f)), 1e-12) << f;
    // Each step between frames is the clip's own and its share of half the seam: the steepest of a
    // smooth step over nine frames is a sixth of it.
    const double seam = apart(clip.motion.pose(0), clip.motion.pose(60));
    for (std::size_t f = 0; f + 1 < 61; ++f) {
        const double own = apart(clip.motion.pose(f), clip.motion.pose(f + 1));
        EXPECT_LT(apart(loop.pose(f), loop.pose(f + 1)), own + seam / 5.0) << f;
    }
}

TEST(Looped, BendsScalesByTheirRatio) {
    const test::Clip walk = test::straightWalk(31, 0.0);
    Motion motion(walk.motion.base(), 31, 1.0 / 30.0,
                  united(walk.motion.tracks(), {{}, {}, {jointId(1)}}));
    for (std::size_t f = 0; f < 31; ++f) {
        Pose pose = walk.motion.pose(f);
        const double size = 3.0 - 2.0 * static_cast<double>(f) / 30.0;
        pose[jointId(1)].scale = {size, size, size};
        motion.setPose(f, pose);
    }
    const Motion loop = looped(walk.skeleton, motion);
    for (std::size_t f = 0; f < 31; ++f) {
        EXPECT_GT(loop.pose(f)[jointId(1)].scale.x, 0.99) << f;
        EXPECT_LT(loop.pose(f)[jointId(1)].scale.x, 3.01) << f;
    }
    // The seam is halfway between 1 and 3 by ratio.
    EXPECT_NEAR(loop.pose(0)[jointId(1)].scale.x, std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(loop.pose(30)[jointId(1)].scale.x, std::sqrt(3.0), 1e-12);
}

TEST(Looped, KeepsHowFarAWalkGoes) {
    const test::Clip walk = test::straightWalk(31, 1.2);
    const Motion loop = looped(walk.skeleton, walk.motion);
    EXPECT_LT(length(loop.pose(30)[jointId(0)].translation - Vec3{0, 1, 1.2}), 1e-12);
    EXPECT_LT(length(loop.pose(0)[jointId(0)].translation - Vec3{0, 1, 0}), 1e-12);
    EXPECT_EQ(looped(walk.skeleton, *trimmed(walk.motion, 0, 0)).frameCount(), 1U);
}

TEST(Repeated, WalksOnAndOn) {
    const test::Clip walk = test::straightWalk(31, 1.2);
    const Motion four = *repeated(walk.skeleton, walk.motion, 4);
    ASSERT_EQ(four.frameCount(), 121U);
    for (std::size_t f = 0; f < four.frameCount(); ++f)
        EXPECT_NEAR(four.pose(f)[jointId(0)].translation.z, 1.2 * four.timeOf(f), 1e-9);
}

TEST(Repeated, TurnsOnWhereTheClipTurns) {
    // A quarter circle of radius 1, four times: back where it began.
    const test::Clip walk = test::straightWalk(31, 1.0);
    Motion turn = walk.motion;
    for (std::size_t f = 0; f < 31; ++f) {
        Pose pose = turn.pose(f);
        const double angle = kPi / 2 * static_cast<double>(f) / 30;
        pose[jointId(0)].translation = {1 - std::cos(angle), 1, std::sin(angle)};
        pose[jointId(0)].rotation = quatAboutAxis(1, angle);
        turn.setPose(f, pose);
    }
    const Motion round = *repeated(walk.skeleton, turn, 4);
    EXPECT_LT(apart(round.pose(120), round.pose(0)), 1e-9);
    EXPECT_LT(length(round.pose(60)[jointId(0)].translation - Vec3{2, 1, 0}), 1e-9);
}

TEST(RootMotionSplit, PutsTogetherWhatItTookApart) {
    const test::Clip clip = test::randomClip(11, 40);
    for (const Vec3 up : {Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const RootMotion split = splitRootMotion(clip.skeleton, clip.motion, up);
        const Motion again = withRootMotion(clip.skeleton, split);
        for (std::size_t f = 0; f < 40; ++f) {
            EXPECT_LT(apart(again.pose(f), clip.motion.pose(f)), 1e-12);
            // In place: above the origin, and with no turn about the up axis.
            const Trs root = split.in_place.pose(f)[jointId(0)];
            EXPECT_LT(length(root.translation - up * dot(root.translation, up)), 1e-12);
            EXPECT_LT(std::abs(splitSwingTwist(root.rotation, up).twist_angle), 1e-9);
            EXPECT_LT(std::abs(dot(split.model_from_ground[f].translation, up)), 1e-12);
        }
    }
}

}  // namespace
}  // namespace ulna
