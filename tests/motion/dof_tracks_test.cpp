// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/dof_tracks.h"

#include <gtest/gtest.h>

#include "support/clips.h"
#include "support/skeletons.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using test::apart;

// Judged by the numbers themselves: each track sampled alone, then made a pose.
void expectFollows(const Skeleton& s, const std::vector<DofTrack>& tracks) {
    const Result<KeyedMotion> motion = makeKeyedMotion(s, tracks);
    ASSERT_TRUE(motion) << describe(motion.error());
    for (double t = -0.5; t < 4.0; t += 0.037) {
        DofVector dofs(s.dofCount(), 0.0);
        for (const DofTrack& track : tracks) dofs[track.dof] = sample(track.track, t);
        ASSERT_LT(apart(samplePose(*motion, t), computePose(s, dofs)), 1e-11) << t;
    }
}

std::vector<DofTrack> randomTracks(const Skeleton& s, Random& random, Interpolation how,
                                   bool same_times) {
    std::vector<DofTrack> out;
    for (std::size_t d = 0; d < s.dofCount(); ++d) {
        if (s.joint(s.jointOfDof(d)).coordinates == BallCoordinates::RotationVector && s.isAngle(d))
            continue;
        std::vector<Key<double>> keys;
        double time = same_times ? 0.3 : random.between(0.0, 0.5);
        for (int i = 0; i < 5; ++i) {
            const double value = random.between(-2, 2), in = random.between(-2, 2);
            keys.push_back({time, value, in, random.between(-2, 2)});
            time += same_times ? 0.4 + 0.3 * (i % 2) : random.between(0.1, 1.0);
        }
        out.push_back({d, Track<double>(std::move(keys), how)});
    }
    return out;
}

TEST(DofTracks, MoveEveryKindOfJointAsTheirNumbersDo) {
    const Skeleton s = test::everyKind();
    Random random(1);
    for (const Interpolation how : kAllInterpolations)
        for (const bool same_times : {true, false})
            expectFollows(s, randomTracks(s, random, how, same_times));
}

TEST(DofTracks, JumpWhereOneOfThemJumps) {
    const Skeleton s = test::straightWalk(2, 1.0).skeleton;
    const Track<double> jumps({{0, 0}, {1, 1}, {1, 3}, {2, 4}}, Interpolation::Linear);
    const Track<double> steady({{0.5, 1}, {1.5, 2}}, Interpolation::Linear);
    expectFollows(s, {{0, jumps}, {1, steady}});
}

TEST(DofTracks, GoOnOutsideTheirOwnKeysEach) {
    const Skeleton s = test::straightWalk(2, 1.0).skeleton;
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom}) {
        Track<double> early({{0, 0}, {1, 1}}, how), late({{0.5, 2}, {2, 0}, {2.5, 3}}, how);
        early.outside = late.outside = Outside::Extrapolate;
        expectFollows(s, {{0, early}, {1, late}});
    }
    // A single key goes with anything.
    Track<double> loop({{0, 0}, {1, 1}}, Interpolation::Step);
    loop.outside = Outside::Loop;
    expectFollows(s, {{0, Track<double>({{0.5, 7}})}, {1, loop}});
    Track<double> longer({{0, 0}, {2, 1}}, Interpolation::Step);
    longer.outside = Outside::Loop;
    EXPECT_FALSE(makeKeyedMotion(s, {{0, loop}, {1, longer}})) << "loops of different lengths";
}

TEST(DofTracks, AreAnErrorForARotationVector) {
    JointDef ball = test::joint("ball", "", JointKind::Ball, {});
    ball.coordinates = BallCoordinates::RotationVector;
    const Skeleton s = test::build({ball});
    const Result<KeyedMotion> motion = makeKeyedMotion(s, {{0, Track<double>({{0, 1}})}});
    ASSERT_FALSE(motion);
    EXPECT_EQ(motion.error().text, "ball");
}

TEST(DofTracks, AreAnErrorWhereDisplacementsOfAJointDisagree) {
    const Skeleton s = test::straightWalk(2, 1.0).skeleton;
    const Track<double> step({{0, 0}, {1, 1}}, Interpolation::Step);
    const Track<double> line({{0, 0}, {1, 1}}, Interpolation::Linear);
    Track<double> loop = line;
    loop.outside = Outside::Loop;
    EXPECT_FALSE(makeKeyedMotion(s, {{0, step}, {1, line}}));
    EXPECT_FALSE(makeKeyedMotion(s, {{0, loop}, {1, line}}));
    EXPECT_TRUE(makeKeyedMotion(s, {{0, line}, {3, loop}})) << "an angle goes its own way";
}

}  // namespace
}  // namespace ulna
