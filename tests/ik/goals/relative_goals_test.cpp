// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "support/jacobian_checker.h"
#include "ulna/ik/clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

// A point of a joint in the coordinates of another, by forward kinematics alone.
Vec3 seenFrom(const ModelPose& model, JointId base, JointId joint, const Vec3& point = {}) {
    return inverse(model[base]) * (model[joint] * point);
}
Quat rotationFrom(const ModelPose& model, JointId base, JointId joint) {
    return conjugate(rotationOf(model[base])) * rotationOf(model[joint]);
}

TEST(RelativePositionGoal, IsMetByAnyMotionOfBothBodiesTogether) {
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const BodyFrame bodies[2] = {randomBody(random), randomBody(random)};
        RelativePositionGoal goal{.point = random.direction()};
        const Vec3 there = pointOn(bodies[0], goal.point) - bodies[1].position;
        goal.target = transpose(bodies[1].orientation) * there / bodies[1].scale;
        const Vec3 w = random.direction(), v = random.direction();
        const BodyFrame both[2] = {moved(bodies[0], w, v), moved(bodies[1], w, v)};
        GoalRows rows;
        ik::detail::evaluate(goal, both, false, rows);
        EXPECT_EQ(rows.count, 3U);
        EXPECT_LT(rows.error, 1e-14);
        goal.target += Vec3{0, 0.5, 0};
        ik::detail::evaluate(goal, both, false, rows);
        EXPECT_NEAR(rows.error, 0.5 * bodies[1].scale, 1e-14);
    }
}

TEST(RelativeOrientationGoal, IsMetByAnyMotionOfBothBodiesTogether) {
    Random random(4);
    for (int i = 0; i < 100; ++i) {
        const BodyFrame bodies[2] = {randomBody(random), randomBody(random)};
        const Quat relative =
            quatFromMatrix(transpose(bodies[1].orientation) * bodies[0].orientation);
        const Vec3 w = random.direction(), v = random.direction();
        const BodyFrame both[2] = {moved(bodies[0], w, v), moved(bodies[1], w, v)};
        GoalRows rows;
        ik::detail::evaluate(RelativeOrientationGoal{.target = relative}, both, false, rows);
        EXPECT_LT(rows.error, 1e-14);
        const Quat off = relative * quatExp(random.direction() * 0.7);
        ik::detail::evaluate(RelativeOrientationGoal{.target = off}, both, false, rows);
        EXPECT_NEAR(rows.error, 0.7, 1e-14);
        EXPECT_EQ(rows.count, 3U);
    }
}

TEST(RelativePositionGoal, WrenchesAreDerivatives) {
    Random random(9);
    for (int i = 0; i < 300; ++i) {
        const bool planar = i % 2 == 0;
        RelativePositionGoal goal{.point = random.direction(), .target = random.direction()};
        if (planar) goal.point.z = goal.target.z = 0.0;
        const std::vector<BodyFrame> bodies = {randomBody(random, planar),
                                               randomBody(random, planar)};
        expectWrenchesAreDerivatives(goal, bodies, planar, "relative position");
    }
}

TEST(RelativeOrientationGoal, WrenchesAreDerivatives) {
    Random random(10);
    for (int i = 0; i < 300; ++i) {
        const bool planar = i % 2 == 0;
        const double angle = random.between(-kPi, kPi);
        const Quat target = planar ? quatFromAxisAngle(Vec3{0, 0, 1}, angle) : random.rotation();
        const std::vector<BodyFrame> bodies = {randomBody(random, planar),
                                               randomBody(random, planar)};
        expectWrenchesAreDerivatives(RelativeOrientationGoal{.target = target}, bodies, planar,
                                     "relative orientation");
    }
}

TEST(RelativeGoals, RefuseAJointRelativeToItself) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    EXPECT_FALSE(checkGoal(person, {.kind = RelativePositionGoal{.joint = hand, .base = hand}}));
    EXPECT_FALSE(checkGoal(person, {.kind = RelativeOrientationGoal{.joint = hand, .base = hand}}));
    EXPECT_TRUE(
        checkGoal(person, {.kind = RelativePositionGoal{.joint = hand, .base = jointId(0)}}));
}

TEST(RelativeGoals, HoldAHandAtTheOtherWhileThatOneReaches) {
    const Skeleton person = limitedPerson();
    const JointId left = person.find("LeftHand"), right = person.find("RightHand");
    const Vec3 grip{0.1, 0.02, 0.05};
    const Vec3 reach{0.1, 1.2, 0.35};
    const std::vector<IkGoal> goals = {
        {.kind = PositionGoal{.joint = right, .target = reach}},
        {.kind = RelativePositionGoal{.joint = left, .base = right, .target = grip}}};
    Result<IkSolver> solver =
        IkSolver::make(person, goals, {.position_tolerance = 1e-6, .restarts = 8});
    ASSERT_TRUE(solver) << describe(solver.error());
    Pose pose = restPose(person);
    EXPECT_EQ(solver->solve(pose).status, IkStatus::Reached);
    const ModelPose model = computeModelPose(person, pose);
    EXPECT_LT(distance(model.position(right), reach), 1e-6);
    EXPECT_LT(distance(seenFrom(model, right, left), grip), 1e-6);
}

TEST(RelativeGoals, PinnedKeepWhatEachFrameOfAClipHasBetweenTwoJoints) {
    const Skeleton person = limitedPerson();
    const JointId chest = person.find("Spine"), hand = person.find("LeftHand");
    DofClip clip{"sway", 0.01, {}};
    for (int f = 0; f < 10; ++f) {
        DofVector dofs(person.dofCount(), 0.0);
        dofs[person.firstDof(person.find("LeftArm")) + 2] = 0.04 * f;
        clip.frames.push_back(dofs);
    }
    const Motion source = computeMotion(person, clip);
    const IkClipGoal head{.goal = reachFor(person, "Head", {0.15, 1.5, 0.1}, 2)};
    const IkClipGoal place{
        .goal = {.kind = RelativePositionGoal{.joint = hand, .base = chest, .point = {0, 0.1, 0}}},
        .pinned = true};
    const IkClipGoal grip{.goal = {.kind = RelativeOrientationGoal{.joint = hand, .base = chest}},
                          .pinned = true};
    const Result<IkClipResult> result =
        solveIkClip(person, source, std::vector<IkClipGoal>{head, place, grip},
                    {.position_tolerance = 1e-6, .angle_tolerance = 1e-6});
    ASSERT_TRUE(result) << describe(result.error());
    for (std::size_t f = 0; f < 10; ++f) {
        const ModelPose before = computeModelPose(person, source.pose(f));
        const ModelPose after = computeModelPose(person, result->motion.pose(f));
        EXPECT_GT(distance(before.position(chest), after.position(chest)) +
                      angleBetween(rotationOf(before[chest]), rotationOf(after[chest])),
                  1e-3);
        EXPECT_LT(distance(seenFrom(before, chest, hand, {0, 0.1, 0}),
                           seenFrom(after, chest, hand, {0, 0.1, 0})),
                  1e-5);
        EXPECT_LT(angleBetween(rotationFrom(before, chest, hand), rotationFrom(after, chest, hand)),
                  1e-5);
    }
}

}  // namespace
}  // namespace ulna
