// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/speed_limits.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/skeletons.h"
#include "support/text.h"

namespace ulna {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// Two hinges; the second is at these angles, at 10 frames a second.
DofClip clipOf(const std::vector<double>& angles) {
    DofClip clip{.name = {}, .frame_time = 0.1, .frames = {}};
    for (const double angle : angles) clip.frames.push_back({0.0, angle});
    return clip;
}

TEST(SpeedLimits, FindTheLargestExcessAndItsFrame) {
    const std::vector<double> limits = {kNone, 2.0};
    const std::vector<SpeedExcess> found =
        findSpeedExcesses(clipOf({0.0, 0.3, 0.3, -0.2, -0.1}), limits);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].dof, 1U);
    EXPECT_NEAR(found[0].speed, 5.0, 1e-12);
    EXPECT_EQ(found[0].limit, 2.0);
    EXPECT_EQ(found[0].frame, 2U);
    EXPECT_EQ(found[0].steps, 2U);
}

TEST(SpeedLimits, AllowWhatIsAsFastAsTheLimitUpToRounding) {
    const std::vector<double> limits = {0.0, 3.0};
    EXPECT_TRUE(findSpeedExcesses(clipOf({0.0, 0.3, 0.6, 0.9}), limits).empty());
    EXPECT_FALSE(findSpeedExcesses(clipOf({0.0, 0.301}), limits).empty());
}

TEST(SpeedLimits, AreKeptByAClipOfOneFrameOrNone) {
    const std::vector<double> limits = {0.0, 0.0};
    EXPECT_TRUE(findSpeedExcesses(clipOf({}), limits).empty());
    EXPECT_TRUE(findSpeedExcesses(clipOf({7.0}), limits).empty());
}

TEST(SpeedLimits, WarnWithNameSpeedLimitAndFrame) {
    std::vector<JointDef> joints = {test::joint("a", "", JointKind::Hinge, {}),
                                    test::joint("knee", "a", JointKind::Hinge, {0, 1, 0})};
    const Skeleton skeleton = test::build(std::move(joints));
    const std::vector<double> limits = {kNone, 2.0};
    const Warnings warnings = speedWarnings(skeleton, clipOf({0.0, 0.3, 0.3}), limits);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(describe(warnings[0]),
              "a joint moves at up to 3 rad/s (from frame 0 to the next), its limit is 2 rad/s, "
              "exceeded in 1 of 2 steps: 'knee'");
}

}  // namespace
}  // namespace ulna
