// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/handles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// A pose of the file's skeleton in which every degree of freedom of the stage has some value.
Pose somePose(const Stage& stage, Random& random) {
    DofVector dofs(stage.skeleton.dofCount());
    for (double& value : dofs) value = random.between(-0.3, 0.3);
    return stage.fromStage(computePose(stage.skeleton, dofs));
}

// Changes one degree of freedom as the stage's own coordinates do.
Pose moved(const Stage& stage, const Pose& pose, std::size_t dof, double by) {
    DofVector dofs = computeDofs(stage.skeleton, stage.toStage(pose)).dofs;
    dofs[dof] += by;
    return stage.fromStage(computePose(stage.skeleton, dofs));
}

TEST(Handles, RotateAndSlideTheJointAsItsDegreesOfFreedomDo) {
    const Skeleton skeleton = test::makeHumanoid(test::mixamo());
    Random random(3);
    for (const Stage& stage : {makeUsualStage(skeleton), *makeStage(skeleton)}) {
        const Pose pose = somePose(stage, random);
        const ModelPose before = computeModelPose(skeleton, pose);
        std::size_t dof = 0;
        for (const JointId j : skeleton.joints()) {
            const JointHandles handles = makeHandles(stage, pose, j);
            EXPECT_LT(distance(handles.origin, before.position(j)), 1e-12);
            ASSERT_EQ(handles.arcs.size(), stage.skeleton.dofCount(j));
            for (const ArcHandle& arc : handles.arcs) {
                EXPECT_EQ(arc.dof, dof++);
                EXPECT_EQ(arc.limit, stage.skeleton.dofLimits()[arc.dof]);
                EXPECT_NEAR(length(arc.axis), 1.0, 1e-12);
                EXPECT_NEAR(length(arc.zero), 1.0, 1e-12);
                EXPECT_NEAR(dot(arc.axis, arc.zero), 0.0, 1e-12);
                constexpr double kBy = 0.1;
                const ModelPose after =
                    computeModelPose(skeleton, moved(stage, pose, arc.dof, kBy));
                const Quat rotation = rotationOf(after[j]) * conjugate(rotationOf(before[j]));
                const Vec3 way = after.position(j) - before.position(j);
                if (arc.is_angle) {
                    EXPECT_LT(angleBetween(rotation, quatFromAxisAngle(arc.axis, kBy)), 1e-7);
                } else {
                    EXPECT_LT(distance(way, arc.axis * kBy), 1e-9);
                }
            }
        }
        EXPECT_EQ(dof, stage.skeleton.dofCount());
    }
}

TEST(Handles, OfAConeTellSwingAndTwist) {
    JointDef arm = test::joint("arm", "", JointKind::Ball, {});
    arm.cone = ConeLimit{.axis = {0, 1, 0}, .swing_max = 1.0, .twist_min = -0.5, .twist_max = 0.7};
    const Skeleton skeleton = test::build({arm});
    const Stage stage = *makeStage(skeleton);
    Pose pose = restPose(skeleton);
    pose[jointId(0)].rotation = quatAboutAxis(2, 0.4) * quatAboutAxis(1, 0.3);
    const JointHandles handles = makeHandles(stage, pose, jointId(0));
    ASSERT_TRUE(handles.cone);
    const ConeHandle& cone = *handles.cone;
    EXPECT_LT(distance(cone.axis, {0, 1, 0}), 1e-12);
    EXPECT_LT(distance(cone.pointer, {-std::sin(0.4), std::cos(0.4), 0}), 1e-12);
    EXPECT_NEAR(cone.swing, 0.4, 1e-12);
    EXPECT_NEAR(cone.twist, 0.3, 1e-12);
    EXPECT_NEAR(dot(cone.zero, cone.pointer), 0.0, 1e-12);
    EXPECT_EQ(cone.limit.twist_max, 0.7);
}

}  // namespace
}  // namespace ulna
