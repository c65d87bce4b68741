// SPDX-License-Identifier: Apache-2.0

// What a program does wrong stops it with a sentence, in every build: nothing is read or written
// out of bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "support/skeletons.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

#ifndef ULNA_UNCHECKED
namespace ulna::test {
namespace {

Skeleton twoJoints() {
    return build({{.name = "hip", .kind = JointKind::Free},
                  {.name = "knee", .parent = "hip", .kind = JointKind::Hinge}});
}

TEST(MistakesDeathTest, AJointThatIsNotThereStopsEveryAccessor) {
    const Skeleton s = twoJoints();
    const JointId none = s.find("elbow");
    ASSERT_EQ(none, JointId::None);
    EXPECT_DEATH(static_cast<void>(s.joint(none)), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.name(none)), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.parent(jointId(2))), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.firstDof(none)), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.subtree(none)), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.children(none)), "no such joint");
    EXPECT_DEATH(static_cast<void>(s.jointOfDof(7)), "no such degree of freedom");
    EXPECT_FALSE(s.isAncestor(jointId(0), none));
    EXPECT_FALSE(s.isAncestor(none, jointId(0)));
    Pose pose = restPose(s);
    EXPECT_DEATH(pose[none].translation = Vec3{}, "no such joint");
    const ModelPose model = computeModelPose(s, pose);
    EXPECT_DEATH(static_cast<void>(model.position(none)), "no such joint");
}

TEST(MistakesDeathTest, TooFewOrTooManyCoordinatesStopEveryFunctionThatTakesThem) {
    const Skeleton s = twoJoints();
    DofVector few(s.dofCount() - 1, 0.0);
    const char* message = "one number per degree of freedom is needed";
    EXPECT_DEATH(static_cast<void>(computePose(s, few)), message);
    EXPECT_DEATH(static_cast<void>(clampToLimits(s, few)), message);
    EXPECT_DEATH(static_cast<void>(limitExcess(s, few)), message);
    EXPECT_DEATH(static_cast<void>(jointDofs(s, jointId(0), std::span(few))), message);
    Result<IkSolver> solver =
        IkSolver::make(s, {{PositionGoal{.joint = s.find("knee"), .target = {1, 0, 0}}}});
    ASSERT_TRUE(solver);
    EXPECT_DEATH(solver->solve(few), message);
    Pose short_pose;
    EXPECT_DEATH(solver->solve(short_pose), "one transform per joint");
}

TEST(Mistakes, AGoalThatIsSwitchedOffMayHaveAnyTarget) {
    const Skeleton s = twoJoints();
    const double nan = std::nan("");
    const Vec3 target{0.3, -0.2, 0.1};
    for (const GoalKind& off :
         {GoalKind{PositionGoal{.joint = jointId(1), .target = {nan, nan, nan}}},
          GoalKind{OrientationGoal{.joint = jointId(1), .target = {nan, 0, 0, 0}}}}) {
        Result<IkSolver> solver = IkSolver::make(s, {{.kind = PositionGoal{jointId(1), {}, target}},
                                                     {.kind = PositionGoal{jointId(1), {}, {}}}});
        ASSERT_TRUE(solver);
        Result<IkSolver> other = IkSolver::make(s, {{.kind = PositionGoal{jointId(1), {}, target}},
                                                    {.kind = OrientationGoal{jointId(1), {}}}});
        IkSolver& own = std::holds_alternative<PositionGoal>(off) ? *solver : *other;
        own.goals()[1] = {.kind = off, .enabled = false};
        DofVector dofs(s.dofCount(), 0.0);
        EXPECT_EQ(own.solve(dofs).status, IkStatus::Reached);
        const Vec3 found = computeModelPose(s, computePose(s, dofs)).position(jointId(1));
        EXPECT_LT(distance(found, target), own.positionTolerance());
    }
}

TEST(Mistakes, AGoalOnAJointThatIsNotThereIsAnErrorAndNoCrash) {
    const Skeleton s = twoJoints();
    for (const GoalKind& kind :
         {GoalKind{PositionGoal{.joint = s.find("elbow")}}, GoalKind{AimGoal{.joint = jointId(9)}},
          GoalKind{OrientationGoal{.joint = JointId::None}},
          GoalKind{DistanceGoal{.joint_a = jointId(0), .joint_b = JointId::None}},
          GoalKind{PoleGoal{.start = jointId(0), .mid = jointId(1), .end = JointId::None}}}) {
        const Result<IkSolver> solver = IkSolver::make(s, {{kind}});
        ASSERT_FALSE(solver) << goalKindName(kind);
        EXPECT_FALSE(solver.error().what.empty());
    }
}

}  // namespace
}  // namespace ulna::test
#endif
