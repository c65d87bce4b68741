// SPDX-License-Identifier: Apache-2.0

// Joints that follow others: what a skeleton accepts, and what its state functions keep.
#include <gtest/gtest.h>

#include "support/grippers.h"
#include "ulna/character/stage.h"
#include "ulna/motion/units.h"
#include "ulna/skeleton/limits.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using test::gripperJoints;

// The error of a gripper of which one joint is changed.
template <class Change>
std::string errorOf(const char* name, Change change) {
    std::vector<JointDef> joints = gripperJoints();
    for (JointDef& joint : joints) {
        if (joint.name == name) change(joint);
    }
    const Result<Skeleton> made = makeSkeleton(std::move(joints));
    return made ? "" : made.error().what;
}

TEST(Coupling, IsRefusedWhereItCannotHold) {
    EXPECT_EQ(errorOf("right", [](JointDef& j) { j.coupling->leader = "lefft"; }),
              "joint 'right': it follows 'lefft', which is no joint");
    EXPECT_EQ(errorOf("right", [](JointDef& j) { j.coupling->leader = "wrist"; }),
              "joint 'right': it follows 'wrist', which is no hinge or prismatic joint");
    EXPECT_EQ(errorOf("right", [](JointDef& j) { j.coupling->leader = "right tip"; }),
              "joint 'right': it follows 'right tip', which follows another joint itself");
    EXPECT_EQ(errorOf("right", [](JointDef& j) { j.kind = JointKind::Ball; }),
              "joint 'right': only hinges and prismatic joints follow another joint");
    EXPECT_EQ(errorOf("right", [](JointDef& j) { j.coupling->factor = INFINITY; }),
              "joint 'right': its coupling is not finite");
    EXPECT_EQ(errorOf("right",
                      [](JointDef& j) {
                          j.limits[0] = {0.5, 1.0};
                      }),
              "joint 'right': it follows 'left', and the limits of both have no value in common");
}

TEST(Coupling, ALeaderKeepsWhatFollowsItWithinItsLimits) {
    const Skeleton gripper = test::build(gripperJoints());
    const DofLimit& limit = gripper.dofLimits()[gripper.firstDof(gripper.find("left"))];
    // -1 times it is within -0.6 to 0, half of it less 0.1 within -0.2 to 0.15, and its own limits
    // are 0 to 1.
    EXPECT_DOUBLE_EQ(limit.min, 0.0);
    EXPECT_DOUBLE_EQ(limit.max, 0.5);
}

TEST(Coupling, ClampingLetsJointsFollow) {
    const Skeleton gripper = test::build(gripperJoints());
    DofVector dofs(gripper.dofCount(), 0.0);
    const std::size_t left = gripper.firstDof(gripper.find("left"));
    const std::size_t right = gripper.firstDof(gripper.find("right"));
    const std::size_t tip = gripper.firstDof(gripper.find("right tip"));
    dofs[left] = 2.0;
    EXPECT_NEAR(limitExcess(gripper, dofs), 2.0, 1e-15);
    const std::vector<JointId> changed = clampToLimits(gripper, dofs);
    EXPECT_EQ(changed.size(), 3u);
    EXPECT_DOUBLE_EQ(dofs[left], 0.5);
    EXPECT_DOUBLE_EQ(dofs[right], -0.5);
    EXPECT_DOUBLE_EQ(dofs[tip], 0.15);
    EXPECT_EQ(limitExcess(gripper, dofs), 0.0);
    EXPECT_TRUE(clampToLimits(gripper, dofs).empty());
    dofs[right] = -0.4;
    EXPECT_NEAR(limitExcess(gripper, dofs), 0.1, 1e-15);
    applyCouplings(gripper, dofs);
    EXPECT_DOUBLE_EQ(dofs[right], -0.5);
}

TEST(Coupling, APoseIsBroughtToIt) {
    const Skeleton gripper = test::build(gripperJoints());
    DofVector dofs(gripper.dofCount(), 0.0);
    dofs[gripper.firstDof(gripper.find("left"))] = 0.3;
    Pose pose = computePose(gripper, dofs);
    EXPECT_EQ(clampToStage(gripper, pose).size(), 2u);
    EXPECT_LT(limitExcess(gripper, computeDofs(gripper, pose).dofs), 1e-12);
    EXPECT_TRUE(clampToStage(gripper, pose).empty());
}

TEST(Coupling, ScalesWithTheSkeleton) {
    std::vector<JointDef> joints = gripperJoints();
    for (JointDef& joint : joints) {
        if (joint.name == "left") joint.kind = JointKind::Prismatic;
    }
    const Skeleton gripper = test::build(std::move(joints));
    const Skeleton large = *scaledSkeleton(gripper, 100.0);
    DofVector dofs(gripper.dofCount(), 0.0), scaled = dofs;
    dofs[gripper.firstDof(gripper.find("left"))] = 0.3;
    scaled[gripper.firstDof(gripper.find("left"))] = 30.0;
    applyCouplings(gripper, dofs);
    applyCouplings(large, scaled);
    for (const char* angle : {"right", "right tip"}) {
        const std::size_t d = gripper.firstDof(gripper.find(angle));
        EXPECT_NEAR(scaled[d], dofs[d], 1e-15) << angle;
    }
}

TEST(Coupling, GoesWithLimitsToAnotherSkeleton) {
    const Skeleton gripper = test::build(gripperJoints());
    std::vector<JointDef> plain = gripperJoints();
    for (JointDef& joint : plain) joint.coupling.reset();
    const Result<BorrowedLimits> taken = withLimitsOf(test::build(plain), gripper);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->skeleton.couplings().size(), 2u);
    // A leader that is another joint there cannot be followed here.
    for (JointDef& joint : plain) {
        if (joint.name == "left") joint.rest.rotation = quatFromAxisAngle(Vec3{1, 0, 0}, 0.5);
    }
    const Result<BorrowedLimits> loose = withLimitsOf(test::build(plain), gripper);
    ASSERT_TRUE(loose);
    EXPECT_TRUE(loose->skeleton.couplings().empty());
    EXPECT_EQ(loose->warnings.size(), 3u);
}

}  // namespace
}  // namespace ulna
