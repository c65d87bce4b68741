// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/batch.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

TEST(Batch, EqualsTheDoublePathForEveryCountIncludingPartBlocks) {
    const Skeleton s = test::everyKind();
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 100U}) {
        Random random(count);
        PoseBatch batch(s, count);
        std::vector<Pose> poses;
        for (std::size_t i = 0; i < count; ++i) {
            poses.push_back(computePose(s, test::randomDofs(s, random, 3.0)));
            batch.set(i, poses.back());
        }
        ModelBatch model;
        computeModelBatch(s, batch, model);
        ASSERT_EQ(model.count(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const ModelPose expected = computeModelPose(s, poses[i]);
            const std::vector<Quat> orientations = computeOrientations(s, poses[i]);
            for (std::size_t j = 0; j < s.jointCount(); ++j) {
                const Vec3f p = model.position(i, jointId(j));
                EXPECT_LT(distance(Vec3{p.x, p.y, p.z}, expected.position(jointId(j))), 2e-5);
                const Quatf q = model.orientation(i, jointId(j));
                EXPECT_LT(angleBetween(Quat{q.x, q.y, q.z, q.w}, orientations[j]), 1e-5);
            }
        }
    }
}

TEST(Batch, StartsAsRestPoses) {
    const Skeleton s = test::everyKind();
    ModelBatch model;
    computeModelBatch(s, PoseBatch(s, 3), model);
    const ModelPose rest = computeModelPose(s, restPose(s));
    const JointId last = jointId(s.jointCount() - 1);
    EXPECT_NEAR(static_cast<double>(model.position(2, last).y), rest.position(last).y, 1e-6);
}

TEST(Batch, GivesTheSameBitsForAnyThreadsAndAnyNeighbours) {
    const Skeleton s = test::everyKind();
    Random random(5);
    constexpr std::size_t kCount = 1000;
    PoseBatch batch(s, kCount);
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < kCount; ++i) {
        poses.push_back(computePose(s, test::randomDofs(s, random, 3.0)));
        batch.set(i, poses.back());
    }
    ModelBatch one, many;
    computeModelBatch(s, batch, one, 1);
    computeModelBatch(s, batch, many, 4);
    const JointId last = jointId(s.jointCount() - 1);
    for (std::size_t i = 0; i < kCount; ++i) {
        EXPECT_EQ(one.position(i, last), many.position(i, last));
        EXPECT_EQ(one.orientation(i, last), many.orientation(i, last));
    }
    PoseBatch alone(s, 1);
    alone.set(0, poses[777]);
    ModelBatch model;
    computeModelBatch(s, alone, model);
    EXPECT_EQ(model.position(0, last), one.position(777, last));
}

TEST(Batch, CarriesTranslationsOfTheJointsItIsToldTo) {
    const Skeleton s = test::build({test::joint("a", "", JointKind::Ball, {0, 1, 0}),
                                    test::joint("b", "a", JointKind::Ball, {0, 1, 0})});
    PoseBatch batch(s, 2, {s.find("b")});
    batch.setTranslation(1, s.find("b"), {5, 0, 0});
    ModelBatch model;
    computeModelBatch(s, batch, model);
    EXPECT_EQ(model.position(0, s.find("b")), (Vec3f{0, 2, 0}));
    EXPECT_EQ(model.position(1, s.find("b")), (Vec3f{5, 1, 0}));
}

}  // namespace
}  // namespace ulna
