// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/anatomy.h"
#include "support/clips.h"
#include "support/persons.h"
#include "support/skeletons.h"
#include "ulna/character/warnings.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::build;
using test::joint;

Skeleton person() {
    return test::makeHumanoid(test::mixamo());
}

Stage mustMake(const Skeleton& skeleton, const StageOptions& options) {
    Result<Stage> out = makeStage(skeleton, options);
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

// The knee of one hinge bounded to [0, 1] below a ball.
Skeleton boundedKnee() {
    JointDef knee = joint("knee", "hip", JointKind::Hinge, {0, -1, 0});
    knee.axes[0] = {1, 0, 0};
    knee.limits[0] = {0.0, 1.0};
    return build({joint("hip", "", JointKind::Ball, {}), knee});
}

double farthest(const ModelPose& a, const ModelPose& b) {
    double out = 0.0;
    for (std::size_t i = 0; i < a.model_from_joint.size(); ++i)
        out = std::max(out, distance(a.position(jointId(i)), b.position(jointId(i))));
    return out;
}

TEST(Stage, WithItsOwnLimitsIsTheSkeletonItself) {
    const Skeleton skeleton = boundedKnee();
    const Stage stage = mustMake(skeleton, {});
    EXPECT_EQ(stage.skeleton.dofLimits()[3].max, 1.0);
    Random random(1);
    const Pose pose = test::randomPose(skeleton, random, 1.0, 0.0);
    EXPECT_EQ(stage.toStage(pose), pose);
    EXPECT_EQ(stage.fromStage(pose), pose);
    EXPECT_TRUE(stage.recognised().empty());
}

TEST(Stage, WithoutLimitsHasNone) {
    EXPECT_TRUE(hasLimits(boundedKnee()));
    EXPECT_FALSE(hasLimits(mustMake(boundedKnee(), {.limits = LimitSource::None}).skeleton));
}

TEST(Stage, BorrowsLimitsJointByJoint) {
    const Skeleton limited = boundedKnee();
    JointDef knee = joint("knee", "hip", JointKind::Ball, {0, -1, 0});
    const Skeleton plain = build({joint("hip", "", JointKind::Ball, {}), knee,
                                  joint("toe", "knee", JointKind::Ball, {0, -1, 0})});
    const Stage stage = mustMake(plain, {.limits = LimitSource::Borrowed, .other = &limited});
    ASSERT_FALSE(stage.taken.empty());
    EXPECT_EQ(stage.skeleton.kind(jointId(1)), JointKind::Hinge);
    EXPECT_EQ(stage.without, std::vector<JointId>{jointId(2)});
    const Skeleton stranger = build({joint("other", "", JointKind::Ball, {})});
    EXPECT_FALSE(makeStage(plain, {.limits = LimitSource::Borrowed, .other = &stranger}));
}

TEST(Stage, WithHumanLimitsHasEveryJointAtTheSamePosition) {
    const Skeleton skeleton = person();
    const Stage stage = mustMake(skeleton, {.limits = LimitSource::Anatomical});
    EXPECT_GT(stage.recognised().size(), 15u);
    Random random(2);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = test::randomPose(skeleton, random, 1.0, 0.1);
        const ModelPose here = computeModelPose(skeleton, pose);
        const ModelPose there = computeModelPose(stage.skeleton, stage.toStage(pose));
        EXPECT_LT(farthest(here, there), 1e-12);
        EXPECT_LT(test::apart(stage.fromStage(stage.toStage(pose)), pose), 1e-12);
    }
}

TEST(Stage, MeasuresHumanLimitsFromTheTPoseItIsGiven) {
    const Skeleton skeleton = person();
    Pose t_pose = restPose(skeleton);
    const JointId elbow = skeleton.find("mixamorig:LeftForeArm");
    ASSERT_NE(elbow, JointId::None);
    t_pose[elbow].rotation = quatAboutAxis(1, -0.3) * t_pose[elbow].rotation;
    const Stage stage = mustMake(skeleton, {.limits = LimitSource::Anatomical, .t_pose = &t_pose});
    // All angles zero are the T-pose.
    const Pose zero =
        stage.fromStage(computePose(stage.skeleton, DofVector(stage.skeleton.dofCount(), 0.0)));
    EXPECT_LT(angleBetween(zero[elbow].rotation, t_pose[elbow].rotation), 1e-9);
}

TEST(Stage, RestatesGoalsSoThatTheyMeanTheSame) {
    const Skeleton skeleton = person();
    const Stage stage = mustMake(skeleton, {.limits = LimitSource::Anatomical});
    Random random(3);
    const Pose pose = test::randomPose(skeleton, random, 0.5, 0.0);
    const JointId hand = skeleton.find("mixamorig:LeftHand");
    const Vec3 point{0.1, 0.02, -0.03};
    const auto moved = std::get<PositionGoal>(
        stage.toStage(GoalKind(PositionGoal{.joint = hand, .point = point})));
    const Vec3 here = computeModelPose(skeleton, pose)[hand] * point;
    const Vec3 there = computeModelPose(stage.skeleton, stage.toStage(pose))[hand] * moved.point;
    EXPECT_LT(distance(here, there), 1e-12);

    IkClipGoal turned;
    turned.goal.kind = OrientationGoal{.joint = hand, .target = quatAboutAxis(0, 0.4)};
    turned.orientations = {quatAboutAxis(0, 0.4), quatAboutAxis(1, 0.2)};
    const IkClipGoal staged = stage.toStage(turned);
    const Quat target = std::get<OrientationGoal>(staged.goal.kind).target;
    EXPECT_LT(angleBetween(staged.orientations[0], target), 1e-12);
    EXPECT_GT(angleBetween(staged.orientations[1], target), 0.1);
}

TEST(Stage, TakesMotionsThereAndBack) {
    const test::Clip clip = test::randomClip(4, 5);
    const Stage stage = mustMake(clip.skeleton, {.limits = LimitSource::Anatomical});
    Motion named = clip.motion;
    named.name = "walk";
    const Motion back = stage.fromStage(stage.toStage(named));
    EXPECT_EQ(back.name, "walk");
    ASSERT_EQ(back.frameCount(), 5u);
    for (std::size_t f = 0; f < 5; ++f)
        EXPECT_LT(test::apart(back.pose(f), clip.motion.pose(f)), 1e-12);
}

TEST(UsualStage, IsHumanForABodyAndItsOwnForTheRest) {
    EXPECT_EQ(makeUsualStage(person()).limits, LimitSource::Anatomical);
    EXPECT_EQ(makeUsualStage(boundedKnee()).limits, LimitSource::Own);
    EXPECT_EQ(makeUsualStage(test::planarChain(std::vector<double>{1, 1})).limits,
              LimitSource::Own);
    // A body whose file states limits keeps them.
    const Stage human = makeUsualStage(person());
    EXPECT_EQ(makeUsualStage(human.skeleton).limits, LimitSource::Own);
}

TEST(UsualStage, KnowsTheFeet) {
    const Stage stage = makeUsualStage(person());
    const std::vector<JointId> feet = feetOf(stage);
    ASSERT_EQ(feet.size(), 2u);
    for (const JointId foot : feet)
        EXPECT_NE(stage.skeleton.name(foot).find("Foot"), std::string::npos);
    EXPECT_EQ(feetOf(mustMake(person(), {})), feet);  // with no limits too
}

TEST(HeldRoots, AreThoseThatMoveFreely) {
    EXPECT_EQ(heldRoots(person()), std::vector<JointId>{jointId(0)});
    EXPECT_TRUE(heldRoots(boundedKnee()).empty());  // a root that only rotates is an arm's first
    const Skeleton slider = build({joint("cart", "", JointKind::Prismatic, {})});
    EXPECT_EQ(heldRoots(slider).size(), 1u);
}

TEST(HeldRoots, AreLetGoByPinsButNotByPostures) {
    IkClipGoal goal;
    goal.goal.kind = PositionGoal{};
    EXPECT_FALSE(keepsInPlace(goal));
    goal.pinned = true;
    EXPECT_TRUE(keepsInPlace(goal));
    goal.goal.enabled = false;
    EXPECT_FALSE(keepsInPlace(goal));
    goal.goal = {.kind = PostureGoal{}};
    EXPECT_FALSE(keepsInPlace(goal));
}

TEST(StageStart, IsInsideTheLimitsAndNamesTheJointsThatWereNot) {
    const Skeleton skeleton = boundedKnee();
    Pose pose = restPose(skeleton);
    pose[jointId(1)].rotation = quatAboutAxis(0, 1.5);
    const StageStart start = startInside(skeleton, pose);
    EXPECT_EQ(start.clamped, std::vector<JointId>{jointId(1)});
    EXPECT_NEAR(start.dofs[3], 1.0, 1e-12);
    pose[jointId(1)].rotation = quatAboutAxis(0, 1.0 + 1e-8);  // rounding is no fault of anyone's
    EXPECT_TRUE(startInside(skeleton, pose).clamped.empty());
}

TEST(ClampedPose, IsTheSameAsTheStartAndLeavesWhatIsInside) {
    const Skeleton skeleton = boundedKnee();
    Pose pose = restPose(skeleton);
    pose[jointId(0)].rotation = quatAboutAxis(2, 0.7);
    pose[jointId(1)].rotation = quatAboutAxis(0, -0.5);
    const Quat hip = pose[jointId(0)].rotation;
    EXPECT_EQ(clampToStage(skeleton, pose), std::vector<JointId>{jointId(1)});
    EXPECT_EQ(pose[jointId(0)].rotation, hip);
    EXPECT_LT(angleBetween(pose[jointId(1)].rotation, Quat{}), 1e-12);
    EXPECT_TRUE(clampToStage(skeleton, pose).empty());
}

TEST(ClampedPose, OfASliderStaysOnItsRail) {
    JointDef cart = joint("cart", "", JointKind::Prismatic, {});
    cart.axes[0] = {1, 0, 0};
    cart.limits[0] = {-1.0, 2.0};
    const Skeleton skeleton = build({cart});
    Pose pose = restPose(skeleton);
    pose[jointId(0)].translation = {5, 0, 0};
    EXPECT_EQ(clampToStage(skeleton, pose).size(), 1u);
    EXPECT_LT(distance(pose[jointId(0)].translation, {2, 0, 0}), 1e-12);
}

TEST(FeetOf, AreTheAnklesOfAPersonAndAllFourOfAnAnimal) {
    const auto names = [](const Stage& stage) {
        std::vector<std::string> out;
        for (const JointId j : feetOf(stage)) out.push_back(stage.skeleton.name(j));
        std::sort(out.begin(), out.end());
        return out;
    };
    const std::vector<std::string> two = {"left.ankle", "right.ankle"};
    const std::vector<std::string> four = {"left.ankle", "left.wrist", "right.ankle",
                                           "right.wrist"};
    const Skeleton two_legged = test::makePerson({});
    EXPECT_EQ(names(makeUsualStage(two_legged)), two);
    EXPECT_EQ(names(mustMake(two_legged, {})), two);
    EXPECT_EQ(names(makeUsualStage(test::makeAnimal({}))), four);
    EXPECT_TRUE(names(mustMake(boundedKnee(), {})).empty());
}

}  // namespace
}  // namespace ulna
