// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "support/paths.h"
#include "ulna/io/bvh.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

// A person who sways and crouches for a hundred frames.
Motion swaying(const Skeleton& person) {
    DofClip clip{"sway", 0.01, {}};
    for (int f = 0; f < 100; ++f) {
        DofVector dofs(person.dofCount(), 0.0);
        const double t = 0.06 * f;
        dofs[0] = 0.1 * std::sin(t);
        dofs[1] = -0.1 + 0.05 * std::cos(t);
        dofs[person.firstDof(person.find("Spine"))] = 0.2 * std::sin(t);
        dofs[person.firstDof(person.find("LeftArm")) + 2] = 0.4 * std::sin(t);
        clip.frames.push_back(dofs);
    }
    return computeMotion(person, clip);
}

TEST(IkClip, PinnedFeetStayWhileAHandFollowsItsTrack) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    IkClipGoal left{.goal = reachFor(person, "LeftFoot", {0.1, 0.15, 0.05})};
    IkClipGoal right{.goal = reachFor(person, "RightFoot", {-0.1, 0.15, 0.0})};
    IkClipGoal hand{.goal = reachFor(person, "LeftHand", {}, 2)};
    for (int f = 0; f < 100; ++f)
        hand.points.push_back({0.5, 1.2 + 0.2 * std::sin(0.1 * f), 0.3 * std::cos(0.1 * f)});
    IkClipGoal head{
        .goal = {.kind = OrientationGoal{person.find("Head"), {}}, .weight = 0.01, .level = 2},
        .pinned = true};
    const Result<IkClipResult> result =
        solveIkClip(person, source, std::vector<IkClipGoal>{left, right, hand, head},
                    {.position_tolerance = 1e-4});
    ASSERT_TRUE(result) << describe(result.error());
    ASSERT_EQ(result->reports.size(), 100u);
    DofVector last;
    for (std::size_t f = 0; f < 100; ++f) {
        const ModelPose model = computeModelPose(person, result->motion.pose(f));
        EXPECT_LT(distance(model.position(person.find("LeftFoot")), {0.1, 0.15, 0.05}), 1e-4) << f;
        EXPECT_LT(distance(model.position(person.find("RightFoot")), {-0.1, 0.15, 0.0}), 1e-4) << f;
        EXPECT_LT(distance(model.position(person.find("LeftHand")), hand.points[f]), 5e-2) << f;
        const DofVector& now = result->clip.frames[f];
        EXPECT_LE(limitExcess(person, now), 1e-9);
        if (f > 1) {
            EXPECT_LT(largestDifference(now, last), 0.2) << "frame " << f;
        }
        last = now;
    }
}

TEST(IkClip, APinHoldsEachFramesOwnPlace) {
    const Skeleton person = limitedPerson();
    const Motion source = swaying(person);
    std::vector<IkClipGoal> goals;
    for (const char* name : {"LeftFoot", "RightFoot", "LeftHand"})
        goals.push_back({.goal = reachFor(person, name, {}), .pinned = true});
    const Result<IkClipResult> result = solveIkClip(person, source, goals, {});
    ASSERT_TRUE(result);
    for (std::size_t f = 0; f < 100; ++f) {
        // Everything is where it should be already, so nothing moves.
        const ModelPose a = computeModelPose(person, source.pose(f));
        const ModelPose b = computeModelPose(person, result->motion.pose(f));
        for (std::size_t j = 0; j < person.jointCount(); ++j)
            EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-6) << f;
        EXPECT_EQ(result->reports[f].status, IkStatus::Reached);
    }
}

// Where goals are out of reach many poses are nearly as good; the answer must not go from one to
// another: a walk whose hand is held far behind it.
TEST(IkClip, AnswersOutOfReachFollowTheClip) {
    const Result<io::BvhFile> file = io::loadBvh(sharedData("bvh/games105/walk60.bvh"));
    ASSERT_TRUE(file);
    const Result<io::BvhMotion> walk = io::toMotion(*file);
    ASSERT_TRUE(walk);
    const Skeleton& body = walk->skeleton;
    std::vector<IkClipGoal> goals = {
        {.goal = {.kind = PositionGoal{.joint = body.find("lWrist"), .target = {0.35, 1.1, 2.0}}}}};
    for (const char* name : {"lAnkle", "rAnkle"})
        goals.push_back({.goal = {.kind = PositionGoal{.joint = body.find(name)}}, .pinned = true});
    const Result<IkClipResult> result = solveIkClip(body, walk->motion, goals, {});
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->jumps.empty());
    std::size_t missed = 0;
    for (std::size_t f = 1; f < walk->motion.frameCount(); ++f) {
        missed += result->reports[f].status == IkStatus::Reached ? 0 : 1;
        EXPECT_EQ(result->reports[f].goal_errors.size(), goals.size());
        const Pose before = result->motion.pose(f - 1), after = result->motion.pose(f);
        for (const JointId j : body.joints())
            EXPECT_LT(angleBetween(before[j].rotation, after[j].rotation), 0.7)
                << "frame " << f << " " << body.name(j);
    }
    EXPECT_GT(missed, 30u);
}

// What the targets ask for is no jump.
TEST(IkClip, ATargetThatIsElsewhereInTheNextFrameIsNoJump) {
    const Skeleton person = limitedPerson();
    IkClipGoal hand{.goal = reachFor(person, "LeftHand", {})};
    for (int f = 0; f < 100; ++f)
        hand.points.push_back(f < 50 ? Vec3{0.5, 1.2, 0.2} : Vec3{0.3, 0.9, -0.2});
    const Result<IkClipResult> result =
        solveIkClip(person, swaying(person), std::vector<IkClipGoal>{hand}, {});
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->jumps.empty());
}

TEST(IkClip, ATrackOfTheWrongLengthIsAnError) {
    const Skeleton person = limitedPerson();
    IkClipGoal goal{.goal = reachFor(person, "LeftHand", {})};
    goal.points.resize(7);
    const Result<IkClipResult> result =
        solveIkClip(person, swaying(person), std::vector<IkClipGoal>{goal}, {});
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().what.find("'LeftHand' has 7 targets for 100 frames"),
              std::string::npos);
}

TEST(IkClip, ABudgetIsThatOfAFrame) {
    const Skeleton person = limitedPerson();
    std::vector<IkClipGoal> goals = {{.goal = reachFor(person, "LeftHand", {0.0, 9.0, 0.1})}};
    goals.push_back({.goal = reachFor(person, "LeftFoot", {}), .pinned = true});
    int calls = 0;
    IkOptions options;
    options.budget.observer = [&](const SolveProgress&) { return ++calls % 3 != 0; };
    const Result<IkClipResult> result = solveIkClip(person, swaying(person), goals, options);
    ASSERT_TRUE(result);
    for (const IkReport& report : result->reports) EXPECT_EQ(report.status, IkStatus::Stopped);
    EXPECT_EQ(calls, 300);  // once a frame is stopped it is not solved again
}

TEST(IkClip, CancellingKeepsTheFramesMade) {
    const Skeleton person = limitedPerson();
    int calls = 0;
    const Result<IkClipResult> result =
        solveIkClip(person, swaying(person),
                    std::vector<IkClipGoal>{{.goal = reachFor(person, "LeftHand", {0.5, 1, 0})}},
                    {}, [&](double) { return ++calls < 10; });
    ASSERT_TRUE(result);
    EXPECT_EQ(result->reports.size(), 10u);
}

}  // namespace
}  // namespace ulna
