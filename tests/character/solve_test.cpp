// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/solve.h"

#include <gtest/gtest.h>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

Skeleton person() {
    return test::makeHumanoid(test::mixamo());
}

IkClipGoal positionGoal(JointId joint, const Vec3& target) {
    IkClipGoal out;
    out.goal.kind = PositionGoal{.joint = joint, .target = target};
    return out;
}

IkClipGoal pin(JointId joint) {
    IkClipGoal out = positionGoal(joint, {});
    out.pinned = true;
    return out;
}

struct Problem {
    Skeleton skeleton = person();
    Stage stage = *makeStage(skeleton, {.limits = LimitSource::Anatomical});
    Pose rest = restPose(skeleton);
    JointId hand = skeleton.find("mixamorig:LeftHand");
    JointId foot = skeleton.find("mixamorig:LeftFoot");

    [[nodiscard]] Vec3 at(const Pose& pose, JointId joint) const {
        return computeModelPose(skeleton, pose).position(joint);
    }
};

TEST(SolvePose, ReachesWithAHeldRootAndInsideTheLimits) {
    const Problem p;
    const Vec3 target = p.at(p.rest, p.hand) + Vec3{-0.15, -0.25, 0.15};
    const std::vector<IkClipGoal> goals = {positionGoal(p.hand, target)};
    IkOptions options;
    holdRoots(p.skeleton, goals, options);
    EXPECT_EQ(options.locked, heldRoots(p.skeleton));
    const Result<SolvedPose> out = solvePose(p.skeleton, p.stage, p.rest, goals, {.ik = options});
    ASSERT_TRUE(out) << describe(out.error());
    EXPECT_TRUE(out->judged.met[0]);
    EXPECT_EQ(out->report.attempts, 1);
    EXPECT_LT(distance(p.at(out->pose, p.hand), target), 1e-3);
    EXPECT_EQ(p.at(out->pose, jointId(0)), p.at(p.rest, jointId(0)));
    EXPECT_LT(limitExcess(p.stage.skeleton, out->dofs), 1e-9);
    EXPECT_NEAR(out->judged.errors[0], distance(p.at(out->pose, p.hand), target), 1e-12);
}

TEST(SolvePose, HoldsPinsWhereThePoseHasThem) {
    const Problem p;
    const Vec3 target = p.at(p.rest, p.hand) + Vec3{0, -0.5, 0.2};
    const std::vector<IkClipGoal> goals = {positionGoal(p.hand, target), pin(p.foot)};
    IkOptions options;
    holdRoots(p.skeleton, goals, options);
    EXPECT_TRUE(options.locked.empty());
    const Result<SolvedPose> out = solvePose(p.skeleton, p.stage, p.rest, goals, {.ik = options});
    ASSERT_TRUE(out);
    EXPECT_EQ(out->judged.met, (std::vector<bool>{true, true}));
    EXPECT_LT(distance(p.at(out->pose, p.foot), p.at(p.rest, p.foot)), 1e-3);
    EXPECT_EQ(std::get<PositionGoal>(out->goals[1].kind).target, p.at(p.rest, p.foot));
}

TEST(SolvePose, TriesOtherStartsOnlyWhereAGoalIsMissedAndKeepsWhatIsNearest) {
    const Problem p;
    const Vec3 far = p.at(p.rest, p.hand) + Vec3{3, 0, 0};
    const std::vector<IkClipGoal> goals = {positionGoal(p.hand, far)};
    IkOptions options;
    holdRoots(p.skeleton, goals, options);
    const auto solve = [&](int restarts) {
        return *solvePose(p.skeleton, p.stage, p.rest, goals,
                          {.ik = options, .restarts = restarts});
    };
    const SolvedPose none = solve(0), some = solve(3);
    EXPECT_EQ(none.report.attempts, 1);
    EXPECT_GT(some.report.attempts, 1);
    EXPECT_GT(some.report.iterations, none.report.iterations);
    EXPECT_EQ(some.pose, none.pose);
    EXPECT_FALSE(some.judged.met[0]);
}

TEST(SolvePose, IsNaturalUnlessSomethingElseSaysHowABodyMoves) {
    const Problem p;
    const std::vector<IkClipGoal> goals = {positionGoal(p.hand, {0.3, 1, 0.3})};
    EXPECT_TRUE(mayBeNatural({}, goals));
    EXPECT_FALSE(mayBeNatural({.method = IkMethod::Ccd}, goals));
    EXPECT_FALSE(mayBeNatural({.continuity = true}, goals));
    EXPECT_FALSE(mayBeNatural({.chain = p.hand}, goals));
    EXPECT_FALSE(mayBeNatural({.stiffness = {{p.hand, 1.0}}}, goals));
    std::vector<IkClipGoal> with_posture = goals;
    with_posture.emplace_back().goal.kind = PostureGoal{};
    EXPECT_FALSE(mayBeNatural({}, with_posture));
}

TEST(SolvePose, RefusesGoalsThatMakeNoSense) {
    const Problem p;
    const std::vector<IkClipGoal> goals = {positionGoal(p.hand, {0, 0, 0})};
    EXPECT_FALSE(solvePose(p.skeleton, p.stage, p.rest, goals,
                           {.ik = {.chain = p.skeleton.find("mixamorig:RightArm")}}));
}

}  // namespace
}  // namespace ulna
