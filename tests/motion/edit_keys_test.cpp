// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/edit_keys.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"

namespace ulna {
namespace {

using Times = std::vector<double>;

// A root that moves freely, and a ball below it.
struct Body {
    Skeleton skeleton = test::build({test::joint("root", "", JointKind::Free, {}),
                                     test::joint("arm", "root", JointKind::Ball, {0, 1, 0})});
    JointId root = jointId(0), arm = jointId(1);
    std::vector<JointId> both = {root, arm};
    KeyedMotion motion = {.base = restPose(skeleton)};

    [[nodiscard]] Pose bent(double angle) const {
        Pose pose = restPose(skeleton);
        pose[root].translation = {angle, 0, 0};
        pose[arm].rotation = quatAboutAxis(0, angle);
        return pose;
    }
    void key(double time, const Pose& pose) {
        keyPose(skeleton, time, pose, both, Interpolation::Linear, motion);
    }
};

TEST(AKeyedPose, IsSampledBackAtItsTime) {
    Body body;
    for (const double time : {0.0, 0.5, 2.0}) body.key(time, body.bent(time));
    for (const double time : {0.0, 0.5, 2.0}) {
        const Pose pose = samplePose(body.motion, time);
        EXPECT_LT(distance(pose[body.root].translation, {time, 0, 0}), 1e-12);
        EXPECT_LT(angleBetween(pose[body.arm].rotation, quatAboutAxis(0, time)), 1e-7);
    }
    EXPECT_TRUE(isLinear(body.motion));
}

TEST(AKeyedPose, HasNoKeysForWhatIsAsInTheBasePoseUnlessItHasSome) {
    Body body;
    body.key(0.0, body.bent(0.1));
    EXPECT_TRUE(body.motion.find(body.arm)->translation.empty());
    EXPECT_TRUE(body.motion.find(body.arm)->scale.empty());
    Pose stretched = body.bent(0.1);
    stretched[body.arm].translation.y = 2.0;
    stretched[body.arm].scale = {2, 2, 2};
    body.key(1.0, stretched);
    body.key(2.0, body.bent(0.1));
    EXPECT_EQ(body.motion.find(body.arm)->translation.keys().size(), 2u);
    EXPECT_EQ(body.motion.find(body.arm)->scale.keys().size(), 2u);
}

TEST(AKeyedRotation, ByAnglesGoesOnFromTheAnglesThatAreThere) {
    Body body;
    JointTracks& tracks = tracksOf(body.arm, Interpolation::Linear, body.motion);
    tracks.rotation = makeAngleTracks(body.skeleton, body.arm);
    const auto& angles = std::get<AngleTracks>(tracks.rotation).rotations;
    ASSERT_EQ(angles.size(), 3u);
    // Steps of less than half a revolution, to more than a whole one.
    for (int i = 0; i <= 4; ++i) {
        keyRotation(body.skeleton, i, Trs{.rotation = quatAboutAxis(0, 2.0 * i)}, tracks);
        EXPECT_LT(angleBetween(sample(std::get<AngleTracks>(tracks.rotation), i),
                               quatAboutAxis(0, 2.0 * i)),
                  1e-7);
    }
    double turned = 0.0;
    for (const AngleTracks::Rotation& each : angles) turned += sample(each.angle, 4.0);
    EXPECT_NEAR(turned, 8.0, 1e-9);
}

TEST(KeysOfAMoment, AreMovedAndErasedTogether) {
    Body body;
    for (const double time : {0.0, 1.0, 2.0}) body.key(time, body.bent(time));
    EXPECT_EQ(moveKeysAt(1.0, 1e-6, 3.0, JointId::None, body.motion), 3u);
    EXPECT_EQ(keyTimes(body.motion), (Times{0.0, 2.0, 3.0}));
    EXPECT_LT(distance(samplePose(body.motion, 3.0)[body.root].translation, {1, 0, 0}), 1e-12);
    EXPECT_EQ(eraseKeysAt(2.0, 1e-6, body.arm, body.motion), 1u);
    EXPECT_EQ(keyTimes(body.motion), (Times{0.0, 2.0, 3.0}));
    EXPECT_EQ(eraseKeysAt(2.0, 1e-6, JointId::None, body.motion), 2u);
    EXPECT_EQ(keyTimes(body.motion), (Times{0.0, 3.0}));
    EXPECT_EQ(eraseKeysAt(1.0, 1e-6, JointId::None, body.motion), 0u);
}

TEST(NewTracks, HaveTheInterpolationAskedForAndOthersKeepTheirs) {
    Body body;
    body.key(0.0, body.bent(0.0));
    keyPose(body.skeleton, 1.0, body.bent(1.0), body.both, Interpolation::Step, body.motion);
    EXPECT_EQ(body.motion.find(body.root)->translation.interpolation, Interpolation::Linear);
    KeyedMotion stepped = {.base = restPose(body.skeleton)};
    keyPose(body.skeleton, 1.0, body.bent(1.0), body.both, Interpolation::Step, stepped);
    EXPECT_EQ(stepped.find(body.root)->translation.interpolation, Interpolation::Step);
}

}  // namespace
}  // namespace ulna
