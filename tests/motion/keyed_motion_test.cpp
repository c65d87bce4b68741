// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/keyed_motion.h"

#include <gtest/gtest.h>

#include "support/clips.h"
#include "support/skeletons.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using test::apart;

TEST(KeyedMotion, OfEveryFrameIsTheClipItself) {
    const test::Clip clip = test::randomClip(1, 25);
    const KeyedMotion keyed = makeKeyed(clip.motion);
    EXPECT_EQ(keyed.keyCount(),
              25 * (clip.motion.tracks().rotated.size() + clip.motion.tracks().translated.size()));
    EXPECT_NEAR(keyed.endTime(), clip.motion.duration(), 1e-12);
    for (const double t : {0.0, 0.013, 0.4, 0.77, 0.8, 99.0, -1.0})
        EXPECT_LT(apart(samplePose(keyed, t), samplePose(clip.motion, t)), 1e-12) << t;
    EXPECT_EQ(guessFrameRate(keyed), 30.0);
    const Motion again = *makeSampled(keyed, 1.0 / guessFrameRate(keyed));
    ASSERT_EQ(again.frameCount(), 25U);
    for (std::size_t f = 0; f < 25; ++f)
        EXPECT_LT(apart(again.pose(f), clip.motion.pose(f)), 1e-12);
}

TEST(KeyedMotion, WithoutKeysIsItsBase) {
    const test::Clip clip = test::randomClip(1, 2);
    KeyedMotion motion{.name = "still", .base = clip.motion.pose(1)};
    EXPECT_EQ(samplePose(motion, 3.0), clip.motion.pose(1));
    EXPECT_EQ(motion.endTime(), 0.0);
    EXPECT_EQ(guessFrameRate(motion), 0.0);
    EXPECT_EQ(makeSampled(motion, 0.1)->frameCount(), 0U);
    motion.at(jointId(2)).translation.set(0.5, {1, 2, 3});
    EXPECT_EQ(samplePose(motion, 0.0)[jointId(2)].translation, (Vec3{1, 2, 3}));
    EXPECT_EQ(samplePose(motion, 0.0)[jointId(3)], clip.motion.pose(1)[jointId(3)]);
}

TEST(KeyedMotion, TurnsEveryKindOfJointByItsAngles) {
    const Skeleton s = test::everyKind();
    Random random(2);
    const DofVector dofs = test::randomDofs(s, random, 2.0);
    const Pose expected = computePose(s, dofs);
    KeyedMotion motion{.base = restPose(s)};
    std::size_t turned = 0;
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        AngleTracks tracks = makeAngleTracks(s, jointId(j));
        if (tracks.rotations.empty()) continue;
        const std::size_t first =
            s.firstDof(jointId(j)) + s.dofCount(jointId(j)) - tracks.rotations.size();
        for (std::size_t i = 0; i < tracks.rotations.size(); ++i)
            tracks.rotations[i].angle = Track<double>({{0, 0}, {1, dofs[first + i]}});
        motion.at(jointId(j)).rotation = tracks;
        EXPECT_LT(angleBetween(samplePose(motion, 1.0)[jointId(j)].rotation,
                               expected[jointId(j)].rotation),
                  1e-12)
            << s.name(jointId(j));
        ++turned;
    }
    EXPECT_GT(turned, 14U);
}

TEST(AngleTracks, TurnAtTheRateThatDifferencesHave) {
    AngleTracks tracks;
    tracks.rest = quatAboutAxis(1, 0.4);
    Random random(3);
    for (int axis : {2, 0, 1}) {
        std::vector<Key<double>> keys;
        for (int i = 0; i < 5; ++i) keys.push_back({0.3 * i * i, random.between(-2, 2)});
        tracks.rotations.push_back({unitAxis<double>(axis), Track<double>(keys)});
    }
    for (const double t : {0.1, 0.5, 1.9, 4.0}) {
        const Vec3 expected =
            quatLog(conjugate(sample(tracks, t - 1e-6)) * sample(tracks, t + 1e-6)) / 2e-6;
        EXPECT_LT(length(sampleRate(tracks, t) - expected), 1e-7);
    }
}

TEST(GuessFrameRate, FindsTheRateThatHasEveryKey) {
    const auto rateOf = [](std::vector<double> times) {
        KeyedMotion motion{.base = {std::vector<Trs>(1)}};
        for (const double t : times) motion.at(jointId(0)).translation.insert({t, {}});
        return guessFrameRate(motion);
    };
    EXPECT_EQ(rateOf({0, 1}), 24.0);
    EXPECT_EQ(rateOf({0, 1.0f / 60.0f, 3.0f / 60.0f, 100.0f + 1.0f / 60.0f}), 60.0);
    EXPECT_NEAR(rateOf({0, 0.016667, 2 * 0.016667, 3 * 0.016667, 900 * 0.016667}), 0.0, 0.0);
    std::vector<double> odd;
    for (int i = 0; i < 900; ++i) odd.push_back(i * 0.0166667);
    EXPECT_NEAR(rateOf(odd), 1 / 0.0166667, 1e-6);
    // Frames of any rate keep it, since they are straight from one to the next.
    for (const double rate : {8.0, 10.0, 12.0, 15.0, 20.0, 24.0, 29.97, 120.0}) {
        const test::Clip clip = test::randomClip(1, 9);
        Motion motion(clip.motion.base(), 9, 1.0 / rate, clip.motion.tracks());
        EXPECT_NEAR(guessFrameRate(makeKeyed(motion)), rate, 1e-9);
    }
    EXPECT_EQ(rateOf({0, 0.1234567, 0.987654321}), 0.0);
    EXPECT_EQ(rateOf({5}), 0.0);
}

}  // namespace
}  // namespace ulna
