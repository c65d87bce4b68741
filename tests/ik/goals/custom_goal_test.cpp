// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/custom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/allocations.h"
#include "support/ik.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/check_goal.h"
#include "ulna/ik/clip.h"
#include "ulna/ik/evaluate.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

// What PositionGoal does, as a user would write it.
CustomGoal makePosition(JointId joint, const Vec3& point, const Vec3& target) {
    return makeCustomGoal("position", {joint}, 3,
                          [point, target](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                              const Vec3 p = pointOn(bodies[0], point);
                              for (std::size_t k = 0; k < 3; ++k) {
                                  Vec3 e;
                                  e[k] = 1.0;
                                  rows.residual[k] = p[k] - target[k];
                                  rows.wrench[0][k] = forceAt(p, e);
                              }
                          });
}

// A point of a joint at a distance from a vertical axis.
constexpr double kRadius = 0.3;
CustomGoal makeCylinder(JointId joint, const Vec3& axis_at) {
    return makeCustomGoal("cylinder", {joint}, 1,
                          [axis_at](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                              const Vec3 p = bodies[0].position;
                              const Vec3 off{p.x - axis_at.x, 0, p.z - axis_at.z};
                              rows.residual[0] = length(off) - kRadius;
                              rows.wrench[0][0] = forceAt(p, normalizedOr(off, Vec3{1, 0, 0}));
                          });
}

// Two bodies whose y axes are at right angles, and their origins level.
CustomGoal makePair(JointId a, JointId b) {
    return makeCustomGoal(
        "pair", {a, b}, 2, [](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
            const Vec3 u = bodies[0].orientation.column(1), v = bodies[1].orientation.column(1);
            rows.residual[0] = dot(u, v);
            rows.wrench[0][0] = {cross(u, v), {}};
            rows.wrench[1][0] = {cross(v, u), {}};
            rows.residual[1] = bodies[0].position.y - bodies[1].position.y;
            rows.wrench[0][1] = forceAt(bodies[0].position, {0, 1, 0});
            rows.wrench[1][1] = forceAt(bodies[1].position, {0, -1, 0});
            rows.error = std::abs(rows.residual[0]) + std::abs(rows.residual[1]);
        });
}

TEST(CustomGoal, WrenchesAreChecked) {
    EXPECT_TRUE(checkWrenches(makePosition(jointId(0), {1, 2, 3}, {0, 1, 0})).empty());
    EXPECT_TRUE(checkWrenches(makeCylinder(jointId(0), {0.1, 0, 5})).empty());
    EXPECT_TRUE(checkWrenches(makePair(jointId(0), jointId(1)), {.size = 100.0}).empty());
    EXPECT_TRUE(checkWrenches(makeCylinder(jointId(0), {0, 0, 5}), {.planar = true}).empty());
}

TEST(CheckWrenches, NamesTheBodyTheRowAndTheAxisAtFault) {
    CustomGoal goal = makePair(jointId(0), jointId(1));
    const auto right = goal.evaluate;
    goal.evaluate = std::make_shared<const CustomGoalFunction>(
        [right](std::span<const BodyFrame> bodies, bool planar, GoalRows& rows) {
            (*right)(bodies, planar, rows);
            rows.wrench[1][0].moment.z += 0.01;
        });
    const std::vector<WrenchFault> faults = checkWrenches(goal, {.samples = 7});
    ASSERT_EQ(faults.size(), 7U);
    for (std::size_t i = 0; i < faults.size(); ++i) {
        EXPECT_EQ(faults[i].sample, i);
        EXPECT_EQ(faults[i].body, 1U);
        EXPECT_EQ(faults[i].row, 0U);
        EXPECT_TRUE(faults[i].rotation);
        EXPECT_EQ(faults[i].axis, 2U);
        EXPECT_NEAR(faults[i].stated - faults[i].measured, 0.01, 1e-6);
    }
    EXPECT_NE(describe(faults[2]).find("sample 2: body 1, row 0, moment z is "), std::string::npos);
    // A residual that is not a number is at fault everywhere.
    goal.evaluate = std::make_shared<const CustomGoalFunction>(
        [](std::span<const BodyFrame>, bool, GoalRows& rows) {
            rows.residual[0] = std::numeric_limits<double>::quiet_NaN();
        });
    EXPECT_EQ(checkWrenches(goal, {.samples = 1}).size(), 12U);
}

TEST(CustomGoal, IsSolvedByEveryMethodThatTakesGeneralGoals) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    const Vec3 target{0.3, 1.3, 0.35};
    for (const IkMethod method : kAllIkMethods) {
        IkOptions options{.method = method, .position_tolerance = 1e-4, .chain = jointId(1)};
        const std::vector<IkGoal> goals = {{.kind = makePosition(hand, {}, target)}};
        Result<IkSolver> solver = IkSolver::make(person, goals, options);
        if (method == IkMethod::Ccd || method == IkMethod::Fabrik || method == IkMethod::TwoBone) {
            EXPECT_FALSE(solver) << ikMethodName(method);
            continue;
        }
        ASSERT_TRUE(solver) << describe(solver.error());
        DofVector dofs(person.dofCount(), 0.0);
        const IkReport report = solver->solve(dofs);
        const double error = errorByFk(person, dofs, PositionGoal{.joint = hand, .target = target});
        EXPECT_EQ(report.status, IkStatus::Reached) << ikMethodName(method);
        EXPECT_LT(error, 1e-4) << ikMethodName(method);
    }
}

// Far from the origin, so that the frames a function gets must be those of the model.
TEST(CustomGoal, GetsFramesInModelSpaceWhereverTheCharacterStands) {
    std::vector<JointDef> joints;
    const Skeleton near = limitedPerson();
    for (const JointDef& joint : near.definitions()) joints.push_back(joint);
    joints[0].rest.translation += Vec3{30, -20, 50};
    const Skeleton person = build(std::move(joints));
    const JointId hand = person.find("LeftHand");
    const Vec3 axis{30.3, 0, 50.5};
    const std::vector<IkGoal> goals = {
        {.kind = makeCylinder(hand, axis)},
        {.kind = PlaneGoal{.joint = hand, .offset = -18.7, .side = PlaneSide::On}}};
    DofVector dofs(person.dofCount(), 0.0);
    const IkReport report =
        mustSolve(person, goals, {.position_tolerance = 1e-7, .chain = jointId(1)}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    const Vec3 p = computeModelPose(person, computePose(person, dofs)).position(hand);
    EXPECT_NEAR(std::hypot(p.x - axis.x, p.z - axis.z), kRadius, 1e-7);
    EXPECT_NEAR(p.y, -18.7, 1e-7);
    // The gradient is that of a user's own differences.
    const DofVector at(person.dofCount(), 0.1);
    const Result<IkEvaluation> now = evaluateGoals(person, goals, at, {.gradient = true});
    ASSERT_TRUE(now);
    for (std::size_t d = 0; d < at.size(); ++d) {
        double cost[2];
        for (const int side : {0, 1}) {
            DofVector moved = at;
            moved[d] += side == 0 ? 1e-6 : -1e-6;
            cost[side] = evaluateGoals(person, goals, moved)->cost;
        }
        EXPECT_NEAR(now->gradient[d], (cost[0] - cost[1]) / 2e-6, 1e-6) << d;
    }
}

TEST(CustomGoal, OutOfReachComesToTheSameRestAsABuiltInGoal) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("RightHand");
    const IkOptions options{.chain = jointId(1)};
    Random random(12);
    for (int i = 0; i < 10; ++i) {
        const Vec3 target = Vec3{-0.3, 1.3, 0.2} + random.direction() * 3.0;
        DofVector own(person.dofCount(), 0.0), built_in = own;
        const IkReport report =
            mustSolve(person, {{.kind = makePosition(hand, {0.05, 0, 0}, target)}}, options, own);
        const IkReport expected = mustSolve(
            person, {{.kind = PositionGoal{hand, {0.05, 0, 0}, target}}}, options, built_in);
        EXPECT_EQ(report.status, expected.status);
        EXPECT_LT(report.gradient, 1e-6);
        EXPECT_NEAR(report.cost, expected.cost, 1e-6 * expected.cost);
        // Solved again, it stays.
        DofVector again = own;
        mustSolve(person, {{.kind = makePosition(hand, {0.05, 0, 0}, target)}}, options, again);
        EXPECT_LT(largestDifference(own, again), 1e-6);
    }
}

TEST(CustomGoal, HoldsTwoJointsAndTakesPartInLevels) {
    const Skeleton person = limitedPerson();
    const JointId left = person.find("LeftHand"), right = person.find("RightHand");
    const Vec3 target{0.2, 1.2, 0.4};
    const std::vector<IkGoal> goals = {
        {.kind = PositionGoal{.joint = left, .target = target}},
        {.kind = makePair(left, right), .level = 2},
        {.kind = PositionGoal{.joint = person.find("Hips"), .target = {0, 1, 0}}}};
    DofVector dofs(person.dofCount(), 0.0);
    const IkReport report =
        mustSolve(person, goals, {.position_tolerance = 1e-5, .restarts = 8}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    const ModelPose model = computeModelPose(person, computePose(person, dofs));
    EXPECT_LT(distance(model.position(left), target), 1e-5);
    EXPECT_NEAR(model.position(left).y, model.position(right).y, 1e-5);
    const Vec3 u = rotate(rotationOf(model[left]), {0, 1, 0});
    EXPECT_NEAR(dot(u, rotate(rotationOf(model[right]), {0, 1, 0})), 0.0, 1e-5);
}

TEST(CustomGoal, IsSolvedOverClipsAndInBatches) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    const Vec3 axis{0.3, 0, 0.4};
    const IkOptions options{.position_tolerance = 1e-6, .chain = jointId(1)};
    DofClip clip{"lift", 0.01, {}};
    for (int f = 0; f < 8; ++f) {
        DofVector dofs(person.dofCount(), 0.0);
        dofs[person.firstDof(person.find("LeftArm")) + 2] = 0.05 * f;
        clip.frames.push_back(dofs);
    }
    const std::vector<IkClipGoal> over_clip = {{.goal = {.kind = makeCylinder(hand, axis)}}};
    const Result<IkClipResult> result =
        solveIkClip(person, computeMotion(person, clip), over_clip, options);
    ASSERT_TRUE(result) << describe(result.error());
    for (std::size_t f = 0; f < 8; ++f) {
        const Vec3 p = computeModelPose(person, result->motion.pose(f)).position(hand);
        EXPECT_NEAR(std::hypot(p.x - axis.x, p.z - axis.z), kRadius, 1e-5) << f;
    }

    // In a batch other goals have targets; the answers do not depend on the threads.
    const std::vector<IkGoal> goals = {{.kind = makeCylinder(hand, axis)},
                                       {.kind = AimGoal{.joint = person.find("Head")}}};
    IkBatchProblems problems{.count = 6};
    problems.points.resize(12, Vec3{0.5, 1.7, 3});
    for (std::size_t i = 0; i < 6; ++i) problems.points[2 * i + 1].x = 0.1 * static_cast<double>(i);
    const Result<IkBatchResult> one = solveIkBatch(person, goals, options, problems, 1);
    const Result<IkBatchResult> two = solveIkBatch(person, goals, options, problems, 2);
    ASSERT_TRUE(one) << describe(one.error());
    ASSERT_TRUE(two);
    EXPECT_EQ(one->dofs, two->dofs);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(one->reports[i].status, IkStatus::Reached) << i;
        const std::span<const double> dofs =
            std::span(one->dofs).subspan(i * person.dofCount(), person.dofCount());
        const Vec3 p = computeModelPose(person, computePose(person, dofs)).position(hand);
        EXPECT_NEAR(std::hypot(p.x - axis.x, p.z - axis.z), kRadius, 1e-5) << i;
    }
}

TEST(CustomGoal, AnErrorThatIsAnAngleHasTheToleranceAndTheWeightOfOne) {
    const Skeleton person = limitedPerson();
    const JointId head = person.find("Head");
    CustomGoal level = makeCustomGoal("tilt", {head}, 1,
                                      [](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                                          const Vec3 up = bodies[0].orientation.column(1);
                                          rows.residual[0] = up.x - 0.2;
                                          rows.wrench[0][0] = {cross(up, {1, 0, 0}), {}};
                                      });
    level.error_is_angle = true;
    EXPECT_TRUE(checkWrenches(level).empty());
    EXPECT_TRUE(errorIsAngle(level));
    EXPECT_FALSE(errorIsAngle(makePair(jointId(0), jointId(1))));
    const DofVector dofs(person.dofCount(), 0.0);
    const Result<IkEvaluation> at =
        evaluateGoals(person, std::vector<IkGoal>{{.kind = level}}, dofs);
    ASSERT_TRUE(at);
    EXPECT_NEAR(at->goals[0].error, 0.2, 1e-15);
    EXPECT_NEAR(at->cost, 0.5 * 0.04 * at->reach * at->reach, 1e-14);
}

TEST(CustomGoal, MistakesAreNamed) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand"), head = person.find("Head");
    const auto messageOf = [&](const CustomGoal& goal) {
        const Status status = checkGoal(person, {.kind = goal});
        return status ? std::string() : describe(status.error());
    };
    CustomGoal goal = makeCylinder(hand, {});
    EXPECT_EQ(messageOf(goal), "");
    goal.rows = 4;
    EXPECT_EQ(messageOf(goal),
              "the custom 'cylinder' goal of 'LeftHand': it needs one, two or three rows");
    goal.rows = 0;
    EXPECT_NE(messageOf(goal), "");
    goal = makeCylinder(hand, {});
    goal.joints = {};
    EXPECT_NE(messageOf(goal).find("one, two or three joints"), std::string::npos);
    goal.joints = {jointId(0), jointId(1), jointId(2), jointId(3)};
    EXPECT_NE(messageOf(goal).find("one, two or three joints"), std::string::npos);
    goal.joints = {hand, head, hand};
    EXPECT_NE(messageOf(goal).find("a joint twice"), std::string::npos);
    goal.joints = {jointId(900)};
    EXPECT_NE(messageOf(goal).find("does not exist"), std::string::npos);
    goal = makeCylinder(hand, {});
    goal.evaluate = nullptr;
    EXPECT_NE(messageOf(goal).find("no function"), std::string::npos);
    goal.evaluate = std::make_shared<const CustomGoalFunction>();
    EXPECT_NE(messageOf(goal).find("no function"), std::string::npos);
    EXPECT_FALSE(IkSolver::make(person, {{.kind = goal}}));
    EXPECT_FALSE(IkSolver::make(person, {{.kind = CustomGoal{}}}));
}

TEST(CustomGoal, ResidualsThatAreNoNumbersLeaveAPoseFinite) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // Everywhere, and in front of a wall only.
    for (const double wall : {-100.0, 0.15}) {
        const CustomGoal goal =
            makeCustomGoal("wall", {hand}, 1,
                           [wall, nan](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                               const Vec3 p = bodies[0].position;
                               rows.residual[0] = p.z > wall ? nan : p.z - 0.3;
                               rows.wrench[0][0] = forceAt(p, {0, 0, 1});
                           });
        for (const IkMethod method : {IkMethod::Auto, IkMethod::Transpose, IkMethod::Gradient,
                                      IkMethod::ProjectedGradient, IkMethod::Pinv, IkMethod::Dls}) {
            DofVector dofs(person.dofCount(), 0.0);
            const IkReport report =
                mustSolve(person, {{.kind = goal}}, {.method = method, .restarts = 2}, dofs);
            EXPECT_NE(report.status, IkStatus::Reached) << ikMethodName(method);
            for (const double x : dofs) EXPECT_TRUE(std::isfinite(x)) << ikMethodName(method);
            EXPECT_LT(limitExcess(person, dofs), 1e-9);
        }
    }
}

TEST(CustomGoal, ASolverWithOneAllocatesNothingAfterItsFirstSolve) {
    const Skeleton person = limitedPerson();
    const JointId hand = person.find("LeftHand");
    Result<IkSolver> solver =
        IkSolver::make(person, {{.kind = makeCylinder(hand, {0.3, 0, 0.4})},
                                {.kind = makePosition(person.find("Head"), {}, {0.5, 4, 0.1})}});
    ASSERT_TRUE(solver);
    DofVector dofs(person.dofCount(), 0.0);
    solver->solve(dofs);
    Random random(3);
    for (int i = 0; i < 3; ++i) {
        dofs = allowedDofs(person, random);
        const long before = allocationCount();
        solver->solve(dofs);
        EXPECT_EQ(allocationCount() - before, 0);
    }
}

}  // namespace
}  // namespace ulna
