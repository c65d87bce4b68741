// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/blend.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/clips.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

using test::apart;

TEST(MeanRotation, OfTwoIsSlerp) {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const Quat a = random.rotation(), b = random.rotation();
        const double t = random.unit();
        if (angleBetween(a, b) > 3.1) continue;  // which way round is then a matter of rounding
        const double weights[] = {3.0 * (1 - t), 3.0 * t};
        const Quat rotations[] = {a, i % 2 == 0 ? b : -b};
        EXPECT_LT(angleBetween(meanRotation(rotations, weights), slerp(a, b, t)), 1e-12);
    }
}

TEST(MeanRotation, IsWhereTheSumOfSquaredAnglesIsLeast) {
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        const Quat centre = random.rotation();
        std::vector<Quat> rotations;
        std::vector<double> weights;
        for (int k = 0; k < 5; ++k) {
            rotations.push_back(centre * quatExp(random.direction() * random.between(0.0, 1.2)));
            weights.push_back(random.unit());
        }
        const auto cost = [&](const Quat& q) {
            double sum = 0.0;
            for (std::size_t k = 0; k < 5; ++k) {
                const double angle = angleBetween(q, rotations[k]);
                sum += weights[k] * angle * angle;
            }
            return sum;
        };
        const Quat mean = meanRotation(rotations, weights);
        for (int k = 0; k < 20; ++k)
            EXPECT_LT(cost(mean), cost(mean * quatExp(random.direction() * 1e-3)));
        // The order of the layers does not matter.
        std::reverse(rotations.begin(), rotations.end());
        std::reverse(weights.begin(), weights.end());
        EXPECT_LT(angleBetween(meanRotation(rotations, weights), mean), 1e-12);
    }
}

TEST(BlendPoses, WeighsJointsOneByOne) {
    const test::Clip clip = test::randomClip(3, 20);
    const Pose a = clip.motion.pose(0), b = clip.motion.pose(10), c = clip.motion.pose(19);
    std::vector<double> arm(clip.skeleton.jointCount(), 0.0);
    arm[5] = 1.0;
    const PoseLayer layers[] = {{&a, 2.0}, {&b, 0.0}, {&c, 2.0, arm}};
    const Pose mixed = blendPoses(layers);
    for (std::size_t j = 0; j < arm.size(); ++j) {
        const Trs& got = mixed[jointId(j)];
        const Quat expected = slerp(a[jointId(j)].rotation, c[jointId(j)].rotation, 0.5 * arm[j]);
        EXPECT_LT(angleBetween(got.rotation, expected), 1e-12);
        const Vec3 place = lerp(a[jointId(j)].translation, c[jointId(j)].translation, 0.5 * arm[j]);
        EXPECT_LT(length(got.translation - place), 1e-12);
    }
}

TEST(BlendPoses, WithoutAnyWeightIsTheFirst) {
    const test::Clip clip = test::randomClip(3, 20);
    const Pose a = clip.motion.pose(0), b = clip.motion.pose(10);
    const PoseLayer layers[] = {{&a, 0.0}, {&b, 0.0}};
    EXPECT_EQ(blendPoses(layers), a);
}

TEST(PoseDifference, AddedAgainGivesThePose) {
    const test::Clip clip = test::randomClip(4, 20);
    const Pose a = clip.motion.pose(0);
    Pose b = clip.motion.pose(10);
    b.parent_from_joint[3].scale = {2, 0.5, 1};
    Pose sum = a;
    const Pose difference = poseDifference(a, b);
    addDifference(difference, 1.0, {}, sum);
    EXPECT_LT(apart(sum, b), 1e-12);
    addDifference(difference, 0.0, {}, sum);
    EXPECT_LT(apart(sum, b), 1e-12);
    addDifference(difference, -1.0, {}, sum);
    EXPECT_LT(apart(sum, a), 1e-12) << "taken off again";
    addDifference(difference, 1.0, {}, sum);
    // Half of it is halfway there by slerp.
    Pose half = a;
    addDifference(difference, 0.5, {}, half);
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j)
        EXPECT_LT(angleBetween(half[jointId(j)].rotation,
                               slerp(a[jointId(j)].rotation, b[jointId(j)].rotation, 0.5)),
                  1e-12);
}

TEST(BlendMotions, BeginAndEndTogether) {
    const test::Clip slow = test::straightWalk(61, 1.0), fast = test::straightWalk(31, 3.0);
    const MotionLayer layers[] = {{&slow.motion, 1.0}, {&fast.motion, 1.0}};
    const Motion mixed = *blendMotions(layers);
    EXPECT_NEAR(mixed.duration(), 1.5, 1e-9);
    // 2 m in 2 s and 3 m in 1 s: halfway between is 2.5 m.
    EXPECT_NEAR(mixed.pose(45)[jointId(0)].translation.z, 2.5, 1e-9);
    const Motion apart_lengths = *blendMotions(layers, {.match_lengths = false});
    EXPECT_NEAR(apart_lengths.duration(), 2.0, 1e-9);
}

TEST(BlendMotions, AddALayerOnTop) {
    const test::Clip clip = test::randomClip(5, 31), other = test::randomClip(6, 31);
    std::vector<double> only(clip.skeleton.jointCount(), 0.0);
    only[4] = 1.0;
    const MotionLayer layers[] = {{&clip.motion, 1.0}, {&other.motion, 1.0, only, true}};
    const Motion sum = *blendMotions(layers);
    EXPECT_LT(apart(sum.pose(0), clip.motion.pose(0)), 1e-12) << "the layer has not moved yet";
    const Quat first = other.motion.pose(0)[jointId(4)].rotation;
    for (std::size_t f = 0; f < 31; ++f) {
        const Pose expected = clip.motion.pose(f), got = sum.pose(f);
        for (std::size_t j = 0; j < only.size(); ++j) {
            Quat q = expected[jointId(j)].rotation;
            if (j == 4) q = q * conjugate(first) * other.motion.pose(f)[jointId(4)].rotation;
            EXPECT_LT(angleBetween(got[jointId(j)].rotation, q), 1e-9);
        }
    }
}

TEST(BlendMotions, RefuseWhatCannotBeMixed) {
    const test::Clip clip = test::randomClip(5, 5), walk = test::straightWalk(5, 1.0);
    const Motion empty(restPose(clip.skeleton), 0, 0.1, {});
    const auto blend = [](std::vector<MotionLayer> layers) { return blendMotions(layers).ok(); };
    EXPECT_TRUE(blend({{&clip.motion}}));
    EXPECT_FALSE(blend({}));
    EXPECT_FALSE(blend({{&clip.motion}, {&walk.motion}}));
    EXPECT_FALSE(blend({{&clip.motion}, {&empty}}));
    EXPECT_FALSE(blend({{&clip.motion, 0.0}}));
    EXPECT_FALSE(blend({{&clip.motion, 1.0, {}, true}}));
    EXPECT_FALSE(blend({{&clip.motion, 1.0, {0.5}}}));
}

}  // namespace
}  // namespace ulna
