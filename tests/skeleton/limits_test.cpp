// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/limits.h"

#include <gtest/gtest.h>

#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

Skeleton make(std::vector<JointDef> joints, bool planar = false) {
    Result<Skeleton> out = makeSkeleton(std::move(joints), {.planar = planar});
    EXPECT_TRUE(out) << (out ? "" : out.error().what);
    return *std::move(out);
}

JointDef joint(const char* name, const char* parent, JointKind kind, const Vec3& offset) {
    JointDef out;
    out.name = name;
    out.parent = parent;
    out.kind = kind;
    out.rest.translation = offset;
    return out;
}

// Balls as files without limits have them.
std::vector<JointDef> plainArm() {
    return {joint("arm", "", JointKind::Ball, {0, 1, 0}),
            joint("elbow", "arm", JointKind::Ball, {1, 0, 0}),
            joint("hand", "elbow", JointKind::Ball, {1, 0, 0})};
}

std::vector<JointDef> limitedArm() {
    std::vector<JointDef> joints = plainArm();
    joints[0].cone = ConeLimit{{1, 0, 0}, 1.0, -0.5, 0.5};
    joints[1].kind = JointKind::Hinge;
    joints[1].axes[0] = {0, 0, 1};
    joints[1].limits[0] = {0.0, 2.5};
    joints[2].stiffness = 3.0;
    return joints;
}

TEST(Limits, AreTakenOffWithoutAnotherChange) {
    const Skeleton with = make(limitedArm());
    const Skeleton without = withoutLimits(with);
    EXPECT_EQ(restPose(with), restPose(without));
    EXPECT_EQ(without.kind(jointId(1)), JointKind::Hinge);
    EXPECT_FALSE(without.joint(jointId(0)).cone);
    for (const DofLimit& limit : without.dofLimits()) EXPECT_FALSE(limit.bounded());
}

TEST(Limits, OfAnotherSkeletonAreThoseThatHoldThen) {
    const Skeleton plain = make(plainArm());
    const Result<BorrowedLimits> out = withLimitsOf(plain, make(limitedArm()));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->taken.size(), 3u);
    EXPECT_TRUE(out->without.empty());
    EXPECT_EQ(restPose(plain), restPose(out->skeleton));
    EXPECT_EQ(out->skeleton.joint(jointId(2)).stiffness, 3.0);
    DofVector dofs(out->skeleton.dofCount());
    dofs[out->skeleton.firstDof(jointId(1))] = -1.0;
    EXPECT_NEAR(limitExcess(out->skeleton, dofs), 1.0, 1e-12);
}

TEST(Limits, OfJointsWithOtherRestAxesOrBonesSayNothing) {
    std::vector<JointDef> turned = limitedArm();
    turned[0].rest.rotation = quatFromAxisAngle(Vec3{0, 1, 0}, 0.1);
    turned[2].rest.translation = {0, 1, 0};  // the forearm's bone now points elsewhere
    const Result<BorrowedLimits> out = withLimitsOf(make(plainArm()), make(turned));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->taken, std::vector<JointId>{jointId(2)});
    EXPECT_EQ(out->without, (std::vector<JointId>{jointId(0), jointId(1)}));
    ASSERT_EQ(out->warnings.size(), 2u);
    EXPECT_EQ(out->warnings[0].text, "arm");
}

TEST(Limits, OfSlidersAreNotForBalls) {
    std::vector<JointDef> sliding = limitedArm();
    sliding[1].kind = JointKind::Prismatic;
    const Result<BorrowedLimits> out = withLimitsOf(make(plainArm()), make(sliding));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->without, std::vector<JointId>{jointId(1)});
}

TEST(Limits, OfStrangersAreAnError) {
    EXPECT_FALSE(withLimitsOf(make(plainArm()), make({joint("tail", "", JointKind::Ball, {})})));
    const Skeleton flat = make({joint("arm", "", JointKind::Free, {})}, true);
    EXPECT_FALSE(withLimitsOf(flat, make(plainArm())));
}

}  // namespace
}  // namespace ulna
