// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/units.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

struct Scene {
    Skeleton skeleton = test::everyKind();
    Motion motion;
    Scene() {
        Random random(1);
        DofClip clip{"c", 0.1, {}};
        for (int i = 0; i < 3; ++i) clip.frames.push_back(test::randomDofs(skeleton, random, 2.0));
        motion = computeMotion(skeleton, clip);
    }
};

TEST(Units, ScalingMovesEveryJointByTheFactor) {
    const Scene scene;
    const Skeleton s = *scaledSkeleton(scene.skeleton, 100.0);
    EXPECT_FALSE(scaledSkeleton(s, 1e308).ok());
    const Motion m = scaledMotion(scene.motion, 100.0);
    for (std::size_t f = 0; f < 3; ++f) {
        const ModelPose before = computeModelPose(scene.skeleton, scene.motion.pose(f));
        const ModelPose after = computeModelPose(s, m.pose(f));
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            EXPECT_LT(distance(after.position(jointId(j)), before.position(jointId(j)) * 100.0),
                      1e-11);
        }
    }
    EXPECT_NEAR(s.boneLength(s.find("hinge")),
                100.0 * scene.skeleton.boneLength(scene.skeleton.find("hinge")), 1e-12);
}

TEST(Units, TurningTurnsTheWholeModel) {
    const Scene scene;
    const Quat turn = quatAboutAxis(0, kPi / 2);
    const Skeleton s = rotatedSkeleton(scene.skeleton, turn);
    const Motion m = rotatedMotion(scene.skeleton, scene.motion, turn);
    const ModelPose rest = computeModelPose(s, restPose(s));
    const ModelPose old_rest = computeModelPose(scene.skeleton, restPose(scene.skeleton));
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        EXPECT_LT(distance(rest.position(jointId(j)), rotate(turn, old_rest.position(jointId(j)))),
                  1e-13);
        const Vec3 before =
            computeModelPose(scene.skeleton, scene.motion.pose(2)).position(jointId(j));
        const Vec3 after = computeModelPose(s, m.pose(2)).position(jointId(j));
        EXPECT_LT(distance(after, rotate(turn, before)), 1e-13);
    }
}

TEST(Units, ARestPoseThatIsMovedLeavesClipsWhereTheyAre) {
    const Scene scene;
    const Vec3 by{0.5, 2.0, -1.0};
    const Skeleton s = *movedSkeleton(scene.skeleton, by);
    const ModelPose before = computeModelPose(scene.skeleton, restPose(scene.skeleton));
    const ModelPose after = computeModelPose(s, restPose(s));
    const Pose pose = scene.motion.pose(1);
    const ModelPose posed = computeModelPose(scene.skeleton, pose),
                    again = computeModelPose(s, pose);
    for (const JointId j : s.joints()) {
        EXPECT_LT(distance(after.position(j), before.position(j) + by), 1e-12) << s.name(j);
        EXPECT_EQ(again.position(j), posed.position(j)) << s.name(j);
    }
}

TEST(Units, OfKeysChangeAsThoseOfFrames) {
    // Both forms of one clip, changed alike: the curves between keys too.
    const Scene scene;
    const Quat turn = quatAboutAxis(0, 1.1);
    KeyedMotion keyed = makeKeyed(scene.motion);
    for (JointTracks& tracks : keyed.joints) {
        tracks.translation.interpolation = Interpolation::CatmullRom;
        std::get<Track<Quat>>(tracks.rotation).interpolation = Interpolation::Hermite;
    }
    const Skeleton s = *scaledSkeleton(rotatedSkeleton(scene.skeleton, turn), 2.5);
    const KeyedMotion changed = scaledMotion(rotatedMotion(scene.skeleton, keyed, turn), 2.5);
    for (const double time : {0.0, 0.3, 0.71, 5.0}) {
        const ModelPose before = computeModelPose(scene.skeleton, samplePose(keyed, time));
        const ModelPose after = computeModelPose(s, samplePose(changed, time));
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const Vec3 expected = rotate(turn, before.position(jointId(j))) * 2.5;
            EXPECT_LT(distance(after.position(jointId(j)), expected), 1e-12);
        }
    }
}

TEST(DofClip, GoesToAMotionAndBackWithoutALoss) {
    const Scene scene;
    const DofClipFit fit = computeDofClip(scene.skeleton, scene.motion);
    EXPECT_LT(fit.worst.rotation_residual, 1e-12);
    EXPECT_LT(fit.worst.translation_residual, 1e-12);
    const Motion back = computeMotion(scene.skeleton, fit.clip);
    for (std::size_t f = 0; f < 3; ++f) {
        const ModelPose a = computeModelPose(scene.skeleton, scene.motion.pose(f));
        const ModelPose b = computeModelPose(scene.skeleton, back.pose(f));
        for (std::size_t j = 0; j < scene.skeleton.jointCount(); ++j) {
            EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-12);
        }
    }
}

}  // namespace
}  // namespace ulna
