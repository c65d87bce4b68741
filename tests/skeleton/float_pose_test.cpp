// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/float_pose.h"

#include <gtest/gtest.h>

#include "ulna/math/random.h"

namespace ulna {
namespace {

TEST(FloatPose, ComesBackAsThePoseItWasMadeFrom) {
    Random random(1);
    for (const std::size_t joints : {0U, 1U, 8U, 65U}) {
        Pose pose;
        for (std::size_t i = 0; i < joints; ++i) {
            const Vec3 place = random.direction(), size = random.direction();
            pose.parent_from_joint.push_back({place, size, random.rotation()});
        }
        const Pose back = toPose(FloatPose(pose));
        ASSERT_EQ(back.parent_from_joint.size(), joints);
        for (std::size_t i = 0; i < joints; ++i) {
            const Trs& a = pose.parent_from_joint[i];
            const Trs& b = back.parent_from_joint[i];
            EXPECT_LT(angleBetween(a.rotation, b.rotation), 1.1e-7);
            EXPECT_NEAR(dot(b.rotation, b.rotation), 1.0, 1e-15);
            EXPECT_LT(distance(a.translation, b.translation), 1e-7);
            EXPECT_LT(distance(a.scale, b.scale), 1e-7);
        }
    }
}

TEST(FloatPose, HasRowsOfEveryJointAndPadsThemWithJointsAtRest) {
    FloatPose pose(3);
    pose.setRotation(jointId(2), {1, 0, 0, 0});
    pose.setTranslation(jointId(1), {4, 5, 6});
    ASSERT_EQ(pose.stride(), FloatPose::kLanes);
    EXPECT_EQ(pose.row(FloatPose::kRotationRow)[2], 1.0f);
    EXPECT_EQ(pose.row(FloatPose::kTranslationRow + 2)[1], 6.0f);
    for (std::size_t pad = 3; pad < pose.stride(); ++pad) {
        for (std::size_t row = 0; row < FloatPose::kRows; ++row) {
            const bool one = row == 3 || row >= FloatPose::kScaleRow;
            EXPECT_EQ(pose.row(row)[pad], one ? 1.0f : 0.0f);
        }
    }
}

}  // namespace
}  // namespace ulna
