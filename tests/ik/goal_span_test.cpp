// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goal_span.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/ik.h"
#include "ulna/ik/clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

constexpr double kFrameTime = 0.002;
constexpr std::size_t kFrames = 500;

// A person who sways for a second, slowly against the frame rate.
Motion swaying(const Skeleton& person) {
    DofClip clip{"sway", kFrameTime, {}};
    for (std::size_t f = 0; f < kFrames; ++f) {
        DofVector dofs(person.dofCount(), 0.0);
        const double t = 6.0 * kFrameTime * static_cast<double>(f);
        dofs[0] = 0.1 * std::sin(t);
        dofs[person.firstDof(person.find("Spine"))] = 0.2 * std::sin(t);
        dofs[person.firstDof(person.find("LeftArm")) + 2] = 0.4 * std::sin(t) - 0.5;
        dofs[person.firstDof(person.find("LeftElbow"))] = -0.6;
        clip.frames.push_back(dofs);
    }
    return computeMotion(person, clip);
}

IkClipGoal between(GoalKind kind, double first, double last, std::optional<double> ease = {}) {
    return {.goal = {.kind = std::move(kind)},
            .span = GoalSpan{.first = first, .last = last, .ease = ease}};
}

Motion solved(const Skeleton& person, const Motion& source, const std::vector<IkClipGoal>& goals) {
    const Result<IkClipResult> result =
        solveIkClip(person, source, goals, {.position_tolerance = 1e-9, .angle_tolerance = 1e-9});
    EXPECT_TRUE(result) << describe(result.error());
    return result ? result->motion : source;
}

// The largest step in the speed of what a solve changed: of any joint's position, in metres a
// frame. A smooth change of half a metre in a tenth of a second stays below 0.002; a corner in it
// is above 0.01, a step above 0.1.
double roughness(const Skeleton& person, const Motion& source, const Motion& result) {
    std::vector<std::vector<Vec3>> change(source.frameCount());
    for (std::size_t f = 0; f < source.frameCount(); ++f) {
        const ModelPose a = computeModelPose(person, source.pose(f));
        const ModelPose b = computeModelPose(person, result.pose(f));
        for (std::size_t j = 0; j < person.jointCount(); ++j)
            change[f].push_back(b.position(jointId(j)) - a.position(jointId(j)));
    }
    double out = 0.0;
    for (std::size_t f = 1; f + 1 < change.size(); ++f)
        for (std::size_t j = 0; j < person.jointCount(); ++j)
            out = std::max(out, length(change[f + 1][j] - change[f][j] * 2.0 + change[f - 1][j]));
    return out;
}
constexpr double kSmooth = 0.004;

void expectSame(const Motion& source, const Motion& result, std::size_t first, std::size_t last) {
    for (std::size_t f = first; f <= last; ++f)
        EXPECT_EQ(source.pose(f), result.pose(f)) << "frame " << f;
}

TEST(GoalSpan, IsZeroOutsideOneInsideAndSmoothBetween) {
    const GoalSpan span{.first = 0.2, .last = 0.8, .ease = 0.1};
    const auto share = [&](std::size_t f) { return shareAt(span, f, 0.001); };
    EXPECT_EQ(share(0), 0.0);
    EXPECT_EQ(share(200), 0.0);
    EXPECT_GT(share(210), 0.0);
    EXPECT_NEAR(share(250), 0.5, 1e-12);
    for (std::size_t f = 300; f <= 700; ++f) EXPECT_EQ(share(f), 1.0);
    EXPECT_EQ(share(800), 0.0);
    EXPECT_EQ(share(900), 0.0);
    // The third derivative of the curve is 60 / 0.1^3 at its ends.
    for (std::size_t f = 1; f < 999; ++f)
        EXPECT_LT(std::abs(share(f + 1) - 2.0 * share(f) + share(f - 1)), 6e-4) << f;
}

TEST(GoalSpan, HoldsInItsFirstAndLastFrameWhereItDoesNotEase) {
    const GoalSpan span{.first = 36, .last = 54, .frames = true, .ease = 0.0};
    EXPECT_EQ(shareAt(span, 35, 1.0 / 30.0), 0.0);
    EXPECT_EQ(shareAt(span, 36, 1.0 / 30.0), 1.0);
    EXPECT_EQ(shareAt(span, 54, 1.0 / 30.0), 1.0);
    EXPECT_EQ(shareAt(span, 55, 1.0 / 30.0), 0.0);
}

TEST(GoalSpan, EasesForAQuarterOfItselfAndAtMostAQuarterOfASecond) {
    EXPECT_DOUBLE_EQ(usualEase({.first = 1.2, .last = 1.8}, 1.0 / 30.0), 0.15);
    EXPECT_DOUBLE_EQ(usualEase({.first = 0.0, .last = 9.0}, 1.0 / 30.0), 0.25);
    EXPECT_DOUBLE_EQ(usualEase({.first = 0, .last = 90, .frames = true}, 0.01), 22.5);
    EXPECT_DOUBLE_EQ(usualEase({.first = 0, .last = 900, .frames = true}, 0.01), 25.0);
}

TEST(GoalSpan, IsInsideTheClipAndNotReversedOrAllEase) {
    const auto errorOf = [](const GoalSpan& span) {
        const Status status = checkSpan(span, 91, 1.0 / 30.0);
        return status ? std::string() : describe(status.error());
    };
    EXPECT_EQ(errorOf({.first = 0.0, .last = 3.0}), "");
    EXPECT_EQ(errorOf({.first = 0, .last = 90, .frames = true}), "");
    EXPECT_EQ(errorOf({.first = 1.0, .last = 2.0, .ease = 0.5}), "");
    EXPECT_EQ(errorOf({.first = 1.0, .last = 3.5}),
              "the range from 1 to 3.5 s is not inside the clip (the clip is from 0 to 3 s)");
    EXPECT_EQ(errorOf({.first = -1, .last = 9, .frames = true}),
              "the range from -1 to 9 frames is not inside the clip (the clip is from 0 to 90 "
              "frames)");
    EXPECT_NE(errorOf({.first = 2.0, .last = 1.0}).find("ends before it begins"),
              std::string::npos);
    EXPECT_NE(errorOf({.first = 1.0, .last = 2.0, .ease = 0.6}).find("longer than half"),
              std::string::npos);
    EXPECT_NE(errorOf({.first = 1.0, .last = 2.0, .ease = -0.1}).find("negative"),
              std::string::npos);
    EXPECT_NE(errorOf({.first = 1.0, .last = HUGE_VAL}).find("not finite"), std::string::npos);
}

TEST(GoalSpan, EveryKindComesAndGoesSmoothlyAndIsMetBetween) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const JointId hand = person.find("LeftHand"), right = person.find("RightHand"),
                  head = person.find("Head"), chest = person.find("Spine");
    const GoalKind kinds[] = {
        PositionGoal{hand, {}, {0.4, 1.3, 0.3}},
        PositionGoal{hand, {0.05, 0.02, 0.0}, {0.4, 1.3, 0.3}},
        OrientationGoal{hand, quatAboutAxis(1, 1.0)},
        AimGoal{.joint = head, .target = {1.0, 1.4, 1.0}},
        PoleGoal{person.find("LeftArm"), person.find("LeftElbow"), hand, {0.3, 0.5, -2.0}},
        PlaneGoal{.joint = hand, .offset = 1.5},
        PlaneGoal{.joint = hand, .offset = 1.1, .side = PlaneSide::On},
        DistanceGoal{.joint_a = hand, .joint_b = right, .distance = 0.4},
        DistanceGoal{
            .joint_a = hand, .joint_b = right, .distance = 0.5, .bound = DistanceBound::AtMost},
        RelativePositionGoal{.joint = hand, .base = chest, .target = {0.3, 0.1, 0.4}},
        RelativeOrientationGoal{.joint = head, .base = chest, .target = quatAboutAxis(0, 0.3)},
        KeepApartGoal{.a = {.joint = hand, .radius = 0.1},
                      .b = {.joint = right, .radius = 0.1},
                      .margin = 1.2},
    };
    for (const GoalKind& kind : kinds) {
        SCOPED_TRACE(goalKindName(kind));
        const Motion result = solved(person, source, {between(kind, 0.3, 0.7, 0.1)});
        expectSame(source, result, 0, 150);
        expectSame(source, result, 350, kFrames - 1);
        EXPECT_LT(roughness(person, source, result), kSmooth);
        for (std::size_t f = 200; f <= 300; f += 10) {
            const ModelPose model = computeModelPose(person, result.pose(f));
            std::vector<BodyFrame> bodies;
            for (const Affine& a : model.model_from_joint)
                bodies.push_back({toMatrix(rotationOf(a)), a.translation()});
            EXPECT_LT(goalError(kind, bodies, false), 1e-6) << "frame " << f;
        }
        EXPECT_NE(source.pose(250), result.pose(250));
    }
}

TEST(GoalSpan, AJumpOrACornerWouldBeSeen) {
    // What the tests here measure, where there is something to find.
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const GoalKind goal = PositionGoal{person.find("LeftHand"), {}, {0.4, 1.3, 0.3}};
    EXPECT_GT(roughness(person, source, solved(person, source, {between(goal, 0.3, 0.7, 0.0)})),
              0.1);
}

TEST(GoalSpan, RangesThatFollowEachOtherMeetInTheClipItself) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const JointId hand = person.find("LeftHand");
    const Motion result = solved(person, source,
                                 {between(PositionGoal{hand, {}, {0.4, 1.3, 0.3}}, 0.1, 0.5, 0.1),
                                  between(PositionGoal{hand, {}, {0.5, 1.2, 0.1}}, 0.5, 0.9, 0.1)});
    EXPECT_LT(roughness(person, source, result), kSmooth);
    expectSame(source, result, 250, 250);
    const auto at = [&](std::size_t f) {
        return computeModelPose(person, result.pose(f)).position(hand);
    };
    EXPECT_LT(distance(at(150), {0.4, 1.3, 0.3}), 1e-6);
    EXPECT_LT(distance(at(350), {0.5, 1.2, 0.1}), 1e-6);
}

TEST(GoalSpan, RangesThatOverlapPassTheJointOn) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const JointId hand = person.find("LeftHand");
    const Vec3 first{0.4, 1.3, 0.3}, second{0.5, 1.2, 0.1};
    const Motion result = solved(person, source,
                                 {between(PositionGoal{hand, {}, first}, 0.1, 0.55, 0.1),
                                  between(PositionGoal{hand, {}, second}, 0.35, 0.9, 0.1)});
    EXPECT_LT(roughness(person, source, result), kSmooth);
    // On the line from one target to the other, and nowhere near what the clip does.
    for (std::size_t f = 175; f <= 225; ++f) {
        const Vec3 at = computeModelPose(person, result.pose(f)).position(hand);
        const double along = dot(at - first, second - first) / dot(second - first, second - first);
        EXPECT_LT(distance(at, first + (second - first) * along), 1e-6) << f;
    }
    EXPECT_LT(distance(computeModelPose(person, result.pose(226)).position(hand), second), 1e-6);
}

TEST(GoalSpan, AGoalComesFromAPinOfItsJoint) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const JointId hand = person.find("LeftHand");
    const Vec3 held{0.4, 1.3, 0.3}, target{0.5, 1.2, 0.1};
    const Motion result = solved(person, source,
                                 {{.goal = {.kind = PositionGoal{hand, {}, held}}},
                                  between(PositionGoal{hand, {}, target}, 0.3, 0.7, 0.1)});
    EXPECT_LT(roughness(person, source, result), kSmooth);
    const auto at = [&](std::size_t f) {
        return computeModelPose(person, result.pose(f)).position(hand);
    };
    EXPECT_LT(distance(at(10), held), 1e-6);
    EXPECT_LT(distance(at(250), target), 1e-6);
    EXPECT_LT(distance(at(490), held), 1e-6);
}

TEST(GoalSpan, GoalsOfSeveralJointsComeAndGoEachInItsTime) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const Motion result = solved(
        person, source,
        {between(PositionGoal{person.find("LeftHand"), {}, {0.4, 1.3, 0.3}}, 0.1, 0.6, 0.1),
         between(PositionGoal{person.find("RightHand"), {}, {-0.4, 1.2, 0.3}}, 0.3, 0.9, 0.1),
         between(AimGoal{.joint = person.find("Head"), .target = {1.0, 1.4, 1.0}}, 0.2, 0.5)});
    expectSame(source, result, 0, 50);
    expectSame(source, result, 450, kFrames - 1);
    EXPECT_LT(roughness(person, source, result), kSmooth);
}

TEST(GoalSpan, AClipOutsideItsLimitsComesInsideSmoothly) {
    const Skeleton person = limitedPerson();
    DofClip clip{"bent back", kFrameTime, {}};
    for (std::size_t f = 0; f < kFrames; ++f) {
        clip.frames.emplace_back(person.dofCount(), 0.0);
        clip.frames.back()[person.firstDof(person.find("RightElbow"))] = 0.2;  // at most 0
    }
    ASSERT_GT(limitExcess(person, clip.frames[0]), 0.1);
    const Motion source = computeMotion(person, clip);
    const Motion result = solved(
        person, source,
        {between(PositionGoal{person.find("LeftHand"), {}, {0.4, 1.3, 0.3}}, 0.3, 0.7, 0.1)});
    expectSame(source, result, 0, 150);
    EXPECT_LT(roughness(person, source, result), kSmooth);
    EXPECT_LT(limitExcess(person, computeDofs(person, result.pose(250)).dofs), 1e-6);
}

TEST(GoalSpan, APostureEasesByItsWeight) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    const JointId hand = person.find("LeftHand");
    const std::vector<IkClipGoal> goals = {
        between(PositionGoal{hand, {}, {0.4, 1.3, 0.3}}, 0.1, 0.9, 0.1),
        {.goal = {.kind = PostureGoal{}, .weight = 0.01},
         .span = GoalSpan{.first = 0.3, .last = 0.7, .ease = 0.1}}};
    EXPECT_LT(roughness(person, source, solved(person, source, goals)), kSmooth);
}

TEST(GoalSpan, AFrameIsJudgedByTheGoalsThatHoldWhole) {
    const Skeleton person = limitedPerson();
    const ModelPose model = computeModelPose(person, restPose(person));
    const JointId hand = person.find("LeftHand");
    const std::vector<IkClipGoal> goals = {
        {.goal = {.kind = PositionGoal{hand, {}, {0.4, 1.3, 0.3}}}},
        between(PositionGoal{hand, {}, {0.5, 1.2, 0.1}}, 0.3, 0.7, 0.1),
        between(PositionGoal{person.find("RightHand"), {}, {}}, 0.0, 0.2, 0.0)};
    const auto held = [&](std::size_t frame) {
        std::vector<IkGoal> now;
        for (const IkClipGoal& goal : goals) now.push_back(goal.goal);
        setFrameGoals(goals, frame, kFrameTime, model, {}, now);
        std::string out;
        for (const IkGoal& goal : now) out += goal.enabled ? '1' : '0';
        return out;
    };
    EXPECT_EQ(held(0), "101");
    EXPECT_EQ(held(110), "100");
    EXPECT_EQ(held(175), "000");  // on the way from the first goal of the hand to the second
    EXPECT_EQ(held(250), "010");
    EXPECT_EQ(held(400), "100");
}

TEST(GoalSpan, OfAStraightLimbThePoleIsTheOneThatIsStated) {
    const Skeleton person = limitedPerson();
    const ModelPose straight = computeModelPose(person, restPose(person));
    const PoleGoal pole{person.find("LeftArm"),
                        person.find("LeftElbow"),
                        person.find("LeftHand"),
                        {0.5, 0.5, -1.0}};
    const Vec3 line = straight.position(pole.end) - straight.position(pole.start);
    const Vec3 off = straight.position(pole.mid) - straight.position(pole.start);
    ASSERT_LT(length(cross(line, off)), 1e-12) << "the arm is straight at rest";
    EXPECT_EQ(std::get<PoleGoal>(metBy(straight, pole)).pole, pole.pole);
}

TEST(GoalSpan, OutsideOfTheClipIsAnErrorThatNamesTheGoal) {
    const Skeleton person = limitedPerson();
    const Result<IkClipResult> result = solveIkClip(
        person, swaying(person),
        std::vector{between(PositionGoal{person.find("LeftHand"), {}, {}}, 0.5, 1.5)}, {});
    ASSERT_FALSE(result);
    EXPECT_NE(describe(result.error())
                  .find("the position goal of 'LeftHand': the range from 0.5 "
                        "to 1.5 s is not inside the clip"),
              std::string::npos)
        << describe(result.error());
}

}  // namespace
}  // namespace ulna
