// SPDX-License-Identifier: Apache-2.0

// The default method on bodies: reaching, limits, stillness, priorities, continuity.
#include "ulna/ik/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "support/allocations.h"
#include "support/ik.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

std::vector<IkGoal> endGoals(const Skeleton& person, std::span<const double> dofs) {
    const ModelPose model = computeModelPose(person, computePose(person, dofs));
    std::vector<IkGoal> goals;
    for (const char* name : kEnds)
        goals.push_back(reachFor(person, name, model.position(person.find(name))));
    return goals;
}

TEST(IkSolver, ReachesWholeBodyGoalsWithinEveryKindOfLimit) {
    const Skeleton person = limitedPerson();
    Random random(1);
    int reached = 0;
    for (int i = 0; i < 200; ++i) {
        const std::vector<IkGoal> goals = endGoals(person, allowedDofs(person, random));
        DofVector dofs(person.dofCount(), 0.0);
        const IkReport report =
            mustSolve(person, goals, {.position_tolerance = 1e-5, .restarts = 20}, dofs);
        EXPECT_LE(limitExcess(person, dofs), 1e-9) << "sample " << i;
        double worst = 0.0;
        for (const IkGoal& goal : goals)
            worst = std::max(worst, errorByFk(person, dofs, std::get<PositionGoal>(goal.kind)));
        EXPECT_EQ(report.status == IkStatus::Reached, worst <= 1e-5) << "sample " << i;
        reached += worst <= 1e-5 ? 1 : 0;
    }
    EXPECT_GE(reached, 199);
}

TEST(IkSolver, ReportsTheErrorsThatForwardKinematicsFinds) {
    const Skeleton person = limitedPerson();
    const PositionGoal hand{person.find("LeftHand"), {0.1, 0.02, 0}, {0.3, 1.1, 0.5}};
    const OrientationGoal head{person.find("Head"), quatAboutAxis(1, 0.5)};
    const PositionGoal foot{person.find("RightFoot"), {}, {-3, 0, 0}};  // out of reach
    DofVector dofs(person.dofCount(), 0.0);
    IkOptions options;
    options.locked = {person.find("Hips")};
    const IkReport report =
        mustSolve(person, {{.kind = hand}, {.kind = head}, {.kind = foot}}, options, dofs);
    EXPECT_NEAR(report.goal_errors[0], errorByFk(person, dofs, hand), 1e-9);
    EXPECT_NEAR(report.goal_errors[1], errorByFk(person, dofs, head), 1e-9);
    EXPECT_NEAR(report.goal_errors[2], errorByFk(person, dofs, foot), 1e-9);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
}

TEST(IkSolver, EveryKindOfJointReachesItsOwnPoses) {
    const Skeleton skeleton = everyKind();
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        const DofVector wished = randomDofs(skeleton, random, 0.6);
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, wished));
        std::vector<IkGoal> goals;
        for (const char* name : {"ball_zyx", "ball_zyz", "vector", "second_child"}) {
            const JointId j = skeleton.find(name);
            goals.push_back(
                {.kind = PositionGoal{j, {0.1, 0.2, 0.3}, model[j] * Vec3{0.1, 0.2, 0.3}}});
            goals.push_back({.kind = OrientationGoal{j, rotationOf(model[j])}});
        }
        DofVector dofs(skeleton.dofCount(), 0.0);
        const IkReport report = mustSolve(skeleton, goals, {.restarts = 10}, dofs);
        EXPECT_EQ(report.status, IkStatus::Reached) << "sample " << i;
        for (std::size_t g = 0; g < goals.size(); g += 2) {
            EXPECT_LT(errorByFk(skeleton, dofs, std::get<PositionGoal>(goals[g].kind)), 2e-3);
            EXPECT_LT(errorByFk(skeleton, dofs, std::get<OrientationGoal>(goals[g + 1].kind)),
                      1.1e-4);
        }
    }
}

TEST(IkSolver, LockedJointsStayAndTheRestReaches) {
    std::vector<JointDef> joints;
    for (int i = 0; i < 5; ++i)
        joints.push_back(joint("J" + std::to_string(i), i == 0 ? "" : "J" + std::to_string(i - 1),
                               JointKind::Ball, i == 0 ? Vec3{} : Vec3{0, 0.25, 0}));
    joints[1].locked = true;
    const Skeleton chain = build(std::move(joints));
    for (const IkMethod method : {IkMethod::Auto, IkMethod::Ccd, IkMethod::Fabrik, IkMethod::Dls}) {
        IkOptions options;
        options.method = method;
        options.locked = {chain.find("J2")};
        DofVector dofs(chain.dofCount(), 0.2);
        const PositionGoal goal{chain.find("J4"), {}, {0.3, 0.5, 0.3}};
        const IkReport report = mustSolve(chain, {{.kind = goal}}, options, dofs);
        EXPECT_EQ(report.status, IkStatus::Reached) << ikMethodName(method);
        EXPECT_LT(errorByFk(chain, dofs, goal), 1.01e-4);
        for (std::size_t d = 3; d < 9; ++d) EXPECT_EQ(dofs[d], 0.2) << ikMethodName(method);
    }
}

TEST(IkSolver, WithEverythingLockedThePoseStays) {
    const Skeleton chain = ballChain(2);
    IkOptions options;
    options.locked = {chain.find("B0"), chain.find("B1")};
    DofVector dofs(chain.dofCount(), 0.3);
    const IkReport report = mustSolve(chain, {reachFor(chain, "End", {1, 0, 0})}, options, dofs);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    for (const double x : dofs) EXPECT_EQ(x, 0.3);
}

TEST(IkSolver, StiffJointsMoveLess) {
    const Skeleton chain = ballChain(3);
    // Targets a little to the side, so that every joint could do the work.
    const PositionGoal goal{chain.find("End"), {}, {0.2, 0.9, 0}};
    const auto turnOf = [&](const IkOptions& options, const char* joint) {
        DofVector dofs(chain.dofCount(), 0.05);
        mustSolve(chain, {{.kind = goal}}, options, dofs);
        EXPECT_LT(errorByFk(chain, dofs, goal), 1.1e-4);
        const std::size_t d = chain.firstDof(chain.find(joint));
        return std::abs(dofs[d] - 0.05) + std::abs(dofs[d + 1] - 0.05) +
               std::abs(dofs[d + 2] - 0.05);
    };
    IkOptions plain;
    plain.continuity = true;
    IkOptions stiff = plain;
    stiff.stiffness = {{chain.find("B0"), 50.0}};
    EXPECT_LT(turnOf(stiff, "B0"), 0.2 * turnOf(plain, "B0"));
    EXPECT_GT(turnOf(stiff, "B1"), turnOf(plain, "B1"));
}

TEST(IkSolver, ConflictingGoalsMeetInTheMiddleByTheirWeights) {
    const Skeleton chain = ballChain(6);
    const Vec3 a{0.5, 0.3, 0}, b{0.5, -0.3, 0};
    DofVector dofs(chain.dofCount(), 0.1);
    const IkReport report = mustSolve(
        chain,
        {reachFor(chain, "End", a), {.kind = PositionGoal{chain.find("End"), {}, b}, .weight = 3}},
        {}, dofs);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    const Vec3 end = computeModelPoint(chain, computePose(chain, dofs), chain.find("End"), {});
    EXPECT_LT(distance(end, a * 0.25 + b * 0.75), 1e-6);
}

TEST(IkSolver, NotANumberInATargetLeavesThePoseAlone) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Skeleton chain = ballChain(3);
    DofVector dofs(chain.dofCount(), 0.1);
    // Set up with it: an error that names the goal.
    const Result<IkReport> refused =
        solveIk(chain, std::vector<IkGoal>{reachFor(chain, "End", {nan, 0, 0})}, {}, dofs);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("'End'"), std::string::npos);
    // Given later: a report, and the pose as it was.
    Result<IkSolver> solver = IkSolver::make(chain, {reachFor(chain, "End", {0.5, 0, 0})});
    ASSERT_TRUE(solver);
    std::get<PositionGoal>(solver->goals()[0].kind).target.y = nan;
    EXPECT_EQ(solver->solve(dofs).status, IkStatus::BadGoal);
    for (const double x : dofs) EXPECT_EQ(x, 0.1);
    dofs[0] = nan;
    std::get<PositionGoal>(solver->goals()[0].kind).target.y = 0.0;
    EXPECT_EQ(solver->solve(dofs).status, IkStatus::BadGoal);
}

TEST(IkSolver, AStartOutsideItsLimitsIsClamped) {
    const Skeleton person = limitedPerson();
    DofVector dofs(person.dofCount(), 2.9);
    const IkReport report =
        mustSolve(person, {reachFor(person, "LeftHand", {0.4, 1.2, 0.2})}, {}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_LE(limitExcess(person, dofs), 1e-9);
}

TEST(IkSolver, AGoalThatIsSwitchedOffWishesNothing) {
    const Skeleton chain = ballChain(3);
    std::vector<IkGoal> goals = {reachFor(chain, "End", {0.5, 0.5, 0}),
                                 reachFor(chain, "B2", {0, -5, 0})};
    goals[1].enabled = false;
    DofVector dofs(chain.dofCount(), 0.1);
    const IkReport report = mustSolve(chain, goals, {}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_EQ(report.goal_errors[1], 0.0);
}

TEST(IkSolver, LevelTwoLeavesLevelOneAlone) {
    const Skeleton person = limitedPerson();
    const std::vector<IkGoal> feet = {reachFor(person, "LeftFoot", {0.15, 0.2, 0.2}),
                                      reachFor(person, "RightFoot", {-0.1, 0.12, 0.0})};
    for (const double far : {0.8, 2.0, 100.0}) {
        std::vector<IkGoal> goals = feet;
        goals.push_back(reachFor(person, "LeftHand", {far, 1.2, 0.3}, 2));
        goals.back().weight = 1e4;  // strict by null space, not by weight
        DofVector dofs(person.dofCount(), 0.1);
        const IkReport report = mustSolve(person, goals, {}, dofs);
        for (std::size_t g = 0; g < 2; ++g)
            EXPECT_LT(errorByFk(person, dofs, std::get<PositionGoal>(goals[g].kind)), 1e-6) << far;
        EXPECT_LE(limitExcess(person, dofs), 1e-9);
        EXPECT_EQ(report.status == IkStatus::Reached, far < 1.0) << far;
        DofVector again = dofs;
        mustSolve(person, goals, {}, again);
        EXPECT_LE(largestDifference(dofs, again), 1e-6) << far;
    }
}

TEST(IkSolver, LevelTwoMovesWhatLevelOneLeavesFree) {
    // A hand 100 m away leans the body as far as the feet let it.
    const Skeleton person = limitedPerson();
    std::vector<IkGoal> goals = {reachFor(person, "LeftFoot", {0.1, 0.1, 0}),
                                 reachFor(person, "RightFoot", {-0.1, 0.1, 0})};
    DofVector feet_only(person.dofCount(), 0.05);
    mustSolve(person, goals, {}, feet_only);
    goals.push_back(reachFor(person, "LeftHand", {100, 1, 0}, 2));
    DofVector dofs(person.dofCount(), 0.05);
    mustSolve(person, goals, {}, dofs);
    const auto& hand = std::get<PositionGoal>(goals[2].kind);
    EXPECT_LT(errorByFk(person, dofs, hand), errorByFk(person, feet_only, hand) - 0.4);
}

TEST(IkSolver, PostureSettlesWhatGoalsLeaveFree) {
    const Skeleton chain = ballChain(4);
    Random random(5);
    DofVector rest = randomDofs(chain, random, 0.4);
    const PositionGoal goal{chain.find("End"), {}, {0.4, 0.4, 0.2}};
    // From two different starts the same answer: the freedom left by the goal is taken up.
    std::vector<DofVector> answers;
    for (const double start : {0.1, -0.5}) {
        DofVector dofs(chain.dofCount(), start);
        mustSolve(chain, {{.kind = goal}, {.kind = PostureGoal{rest, {}}, .weight = 1e-3}},
                  {.position_tolerance = 1e-2}, dofs);
        EXPECT_LT(errorByFk(chain, dofs, goal), 1e-2);
        answers.push_back(dofs);
    }
    const Pose a = computePose(chain, answers[0]), b = computePose(chain, answers[1]);
    for (std::size_t j = 0; j < chain.jointCount(); ++j)
        EXPECT_LT(angleBetween(a[jointId(j)].rotation, b[jointId(j)].rotation), 2e-3);
    // Alone, a posture is reached.
    DofVector dofs(chain.dofCount(), 0.0);
    mustSolve(chain, {{.kind = PostureGoal{rest, {}}}}, {}, dofs);
    EXPECT_LT(largestDifference(dofs, rest), 1e-4);
}

TEST(IkSolver, FollowsASmoothPathWithoutJumps) {
    // Out through full extension, past the limits, and back: no joint may jump.
    const Skeleton person = limitedPerson();
    IkOptions options;
    options.continuity = true;
    options.locked = {person.find("Hips"), person.find("Spine"), person.find("Chest")};
    Result<IkSolver> solver = IkSolver::make(person, {reachFor(person, "LeftHand", {})}, options);
    ASSERT_TRUE(solver);
    auto& goal = std::get<PositionGoal>(solver->goals()[0].kind);
    DofVector dofs(person.dofCount(), 0.0), last;
    constexpr int kSteps = 2000;
    double largest = 0.0;
    double moved = 0.0;
    Vec3 before;
    for (int i = 0; i <= kSteps; ++i) {
        const double t = 2.0 * kPi * i / kSteps;
        goal.target = Vec3{0.2, 1.55, 0} +
                      Vec3{0.45 + 0.3 * std::sin(t), 0.2 * std::sin(2 * t), 0.35 * std::cos(t)};
        solver->solve(dofs);
        EXPECT_LE(limitExcess(person, dofs), 1e-9);
        if (i > 20) {  // the start is far from the path
            const double change = largestDifference(dofs, last);
            moved = std::max(moved, distance(goal.target, before));
            largest = std::max(largest, change);
        }
        last = dofs;
        before = goal.target;
    }
    // Targets move by about a millimetre per step. Near full extension the elbow's angle goes with
    // the root of the distance, so a millimetre may cost a tenth of a radian, never a jump.
    EXPECT_LT(moved, 2e-3);
    EXPECT_LT(largest, 0.12);
}

TEST(IkSolver, APoseIsSolvedAsItsNumbersAre) {
    const Skeleton person = limitedPerson();
    Random random(6);
    int reached = 0;
    for (int i = 0; i < 20; ++i) {
        const std::vector<IkGoal> goals = endGoals(person, allowedDofs(person, random));
        Result<IkSolver> solver = IkSolver::make(person, goals, {.position_tolerance = 1e-6});
        ASSERT_TRUE(solver);
        Pose pose = restPose(person);
        const IkReport report = solver->solve(pose);
        const DofFit fit = computeDofs(person, pose);
        EXPECT_LE(fit.rotation_residual, 1e-9);
        EXPECT_LE(limitExcess(person, fit.dofs), 1e-9);
        if (report.status != IkStatus::Reached) continue;
        ++reached;
        for (const IkGoal& goal : goals)
            EXPECT_LT(errorByFk(person, fit.dofs, std::get<PositionGoal>(goal.kind)), 1.1e-6);
    }
    // From the rest pose and without restarts, some targets are behind a limit.
    EXPECT_GE(reached, 18);
}

TEST(IkSolver, KeepsTheStretchAndScaleOfItsBase) {
    const Skeleton chain = ballChain(3);
    Pose base = restPose(chain);
    base[chain.find("B1")].translation = {0, 0.6, 0.1};  // a stretched bone
    base[chain.find("B0")].scale = {2, 2, 2};
    Result<IkSolver> solver = IkSolver::make(chain, {reachFor(chain, "End", {1.2, 0.8, 0.5})},
                                             {.position_tolerance = 1e-6});
    ASSERT_TRUE(solver);
    ASSERT_TRUE(solver->setBase(base));
    DofVector dofs(chain.dofCount(), 0.1);
    EXPECT_EQ(solver->solve(dofs).status, IkStatus::Reached);
    applyDofs(chain, dofs, base);
    EXPECT_LT(distance(computeModelPoint(chain, base, chain.find("End"), {}), {1.2, 0.8, 0.5}),
              1.1e-6);
    base[chain.find("B1")].scale = {1, 2, 1};
    const Status refused = solver->setBase(base);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("'B1'"), std::string::npos);
}

TEST(IkSolver, IsPreciseFarFromTheOrigin) {
    std::vector<JointDef> joints = {joint("Root", "", JointKind::Free, {}),
                                    joint("A", "Root", JointKind::Ball, {0, 0.5, 0}),
                                    joint("B", "A", JointKind::Ball, {0, 0.5, 0}),
                                    joint("C", "B", JointKind::Fixed, {0, 0.5, 0})};
    const Skeleton chain = build(std::move(joints));
    DofVector dofs(chain.dofCount(), 0.0);
    const Vec3 away{1e6, -2e6, 3e6};
    for (std::size_t k = 0; k < 3; ++k) dofs[k] = away[k];
    IkOptions options;
    options.locked = {chain.find("Root")};
    options.position_tolerance = 1e-8;
    const PositionGoal goal{chain.find("C"), {}, away + Vec3{0.4, 0.7, 0.2}};
    const IkReport report = mustSolve(chain, {{.kind = goal}}, options, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    // Forward kinematics itself rounds to a few 1e-9 out there.
    EXPECT_LT(errorByFk(chain, dofs, goal), 2e-8);
}

TEST(IkSolver, AllocatesNothingAfterItsFirstSolve) {
    const Skeleton person = limitedPerson();
    Random random(7);
    for (const IkMethod method : kAllIkMethods) {
        for (const bool levels : {false, true}) {
            if (levels && method != IkMethod::Auto) continue;
            std::vector<IkGoal> goals = endGoals(person, allowedDofs(person, random));
            if (levels) goals[0].level = goals[1].level = 2;
            if (method == IkMethod::TwoBone) goals.resize(1);
            Result<IkSolver> solver =
                IkSolver::make(person, goals, {.method = method, .restarts = levels ? 0 : 3});
            ASSERT_TRUE(solver) << ikMethodName(method);
            // The first problem is solved at once; the next ones go through every stage: attempts,
            // restarts, coming to rest. Starts are outside the limits.
            DofVector start = randomDofs(person, random, 3.0), dofs = start;
            for (IkGoal& goal : solver->goals()) goal.enabled = false;
            solver->solve(dofs);
            for (int i = 0; i < 5; ++i) {
                for (IkGoal& goal : solver->goals()) {
                    goal.enabled = true;
                    std::get<PositionGoal>(goal.kind).target =
                        random.direction() * random.between(0.3, 3.0);
                }
                dofs = start;
                const long before = allocationCount();
                solver->solve(dofs);
                EXPECT_EQ(allocationCount() - before, 0) << ikMethodName(method) << levels;
            }
        }
    }
}

TEST(IkSolver, GivesTheSameAnswerEveryTime) {
    const Skeleton person = limitedPerson();
    Random random(8);
    std::vector<IkGoal> goals;
    for (const char* name : kEnds)
        goals.push_back(reachFor(person, name, random.direction() * 1.5));
    DofVector first(person.dofCount(), 0.0), second = first;
    mustSolve(person, goals, {.restarts = 5}, first);
    // A solver that has done other things first.
    Result<IkSolver> solver = IkSolver::make(person, goals, {.restarts = 5});
    ASSERT_TRUE(solver);
    DofVector other = allowedDofs(person, random);
    std::get<PositionGoal>(solver->goals()[0].kind).target = {0, 0, 9};
    solver->solve(other);
    solver->goals()[0] = goals[0];
    solver->solve(second);
    EXPECT_EQ(first, second);
}

TEST(IkSolver, ACopySolvesTheSameAndIsItsOwn) {
    const Skeleton person = limitedPerson();
    Random random(31);
    for (const IkMethod method : kAllIkMethods) {
        if (method == IkMethod::TwoBone) continue;  // not for whole bodies
        SCOPED_TRACE(ikMethodName(method));
        const std::vector<IkGoal> goals = endGoals(person, allowedDofs(person, random));
        Result<IkSolver> made = IkSolver::make(person, goals, {.method = method, .restarts = 2});
        ASSERT_TRUE(made);
        DofVector warm(person.dofCount(), 0.0);
        static_cast<void>(made->solve(warm));  // a solver that has worked already
        IkSolver copy = *made;
        const auto moveTo = [&](IkSolver& solver, const std::vector<IkGoal>& from) {
            for (std::size_t g = 0; g < from.size(); ++g) solver.goals()[g].kind = from[g].kind;
        };
        const std::vector<IkGoal> others = endGoals(person, allowedDofs(person, random));
        moveTo(copy, others);
        DofVector original(person.dofCount(), 0.1), copied = original, again = original;
        static_cast<void>(copy.solve(copied));
        static_cast<void>(made->solve(original));  // its goals have stayed
        EXPECT_NE(original, copied);
        moveTo(*made, others);
        const IkReport report = made->solve(again);
        EXPECT_EQ(again, copied);
        EXPECT_EQ(report.iterations,
                  copy.solve(copied = DofVector(person.dofCount(), 0.1)).iterations);
        *made = copy;  // assigned
        DofVector assigned(person.dofCount(), 0.1);
        static_cast<void>(made->solve(assigned));
        EXPECT_EQ(assigned, again);
    }
}

TEST(IkSolver, CopiesWorkInThreadsOfTheirOwn) {
    const Skeleton person = limitedPerson();
    Random random(32);
    const Result<IkSolver> made =
        IkSolver::make(person, endGoals(person, allowedDofs(person, random)), {.restarts = 3});
    ASSERT_TRUE(made);
    std::vector<DofVector> answers(4, DofVector(person.dofCount(), 0.0));
    std::vector<std::thread> threads;
    for (DofVector& answer : answers) {
        threads.emplace_back([&made, &answer] {
            IkSolver own = *made;
            static_cast<void>(own.solve(answer));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const DofVector& answer : answers) EXPECT_EQ(answer, answers.front());
}

TEST(IkSolver, LevelTwoAloneIsLikeLevelOne) {
    const Skeleton chain = ballChain(3);
    const PositionGoal goal{chain.find("End"), {}, {0.4, 0.5, 0.1}};
    DofVector one(chain.dofCount(), 0.1), two = one;
    mustSolve(chain, {{.kind = goal}}, {}, one);
    const IkReport report = mustSolve(chain, {{.kind = goal, .level = 2}}, {}, two);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_EQ(one, two);
}

TEST(IkSolver, ManyConflictingGoalsComeToRestToo) {
    // Over 36 rows, so through the recursion over the tree.
    const Skeleton chain = ballChain(20);
    Random random(9);
    std::vector<IkGoal> goals;
    for (std::size_t j = 1; j <= 20; ++j)
        goals.push_back({.kind = PositionGoal{jointId(j), {}, random.direction()}});
    DofVector dofs(chain.dofCount(), 0.1);
    const IkReport report = mustSolve(chain, goals, {}, dofs);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    DofVector again = dofs;
    mustSolve(chain, goals, {}, again);
    EXPECT_LE(largestDifference(dofs, again), 1e-6);
}

TEST(IkSolver, ABadGoalLeavesEvenAStartOutsideItsLimits) {
    const Skeleton person = limitedPerson();
    Result<IkSolver> solver = IkSolver::make(person, {reachFor(person, "LeftHand", {})});
    ASSERT_TRUE(solver);
    std::get<PositionGoal>(solver->goals()[0].kind).target.x =
        std::numeric_limits<double>::infinity();
    DofVector dofs(person.dofCount(), 3.0);
    EXPECT_EQ(solver->solve(dofs).status, IkStatus::BadGoal);
    for (const double x : dofs) EXPECT_EQ(x, 3.0);
}

TEST(IkSolver, APosesAnglesAreTakenAsTheirBoundsMeanThem) {
    // A hinge from 0 to 355 degrees that stands at 350: a quaternion says -10.
    std::vector<JointDef> joints = {joint("A", "", JointKind::Hinge, {}),
                                    joint("B", "A", JointKind::Fixed, {1, 0, 0})};
    joints[0].axes[0] = {0, 0, 1};
    joints[0].limits[0] = {0.0, radians(355)};
    const Skeleton arm = build(std::move(joints));
    Pose pose = computePose(arm, DofVector{radians(350)});
    const double wished = radians(340);
    Result<IkSolver> solver =
        IkSolver::make(arm, {reachFor(arm, "B", {std::cos(wished), std::sin(wished), 0})});
    ASSERT_TRUE(solver);
    EXPECT_EQ(solver->solve(pose).status, IkStatus::Reached);
}

TEST(IkSolver, ErrorsNameWhatIsWrong) {
    const Skeleton chain = ballChain(2);
    DofVector dofs(chain.dofCount(), 0.0);
    const auto errorOf = [&](std::vector<IkGoal> goals, const IkOptions& options) {
        const Result<IkReport> report = solveIk(chain, goals, options, dofs);
        return report ? std::string() : report.error().what;
    };
    EXPECT_NE(errorOf({}, {}).find("no goal"), std::string::npos);
    EXPECT_NE(errorOf({{.kind = PositionGoal{}}}, {}).find("does not exist"), std::string::npos);
    EXPECT_NE(errorOf({{.kind = PositionGoal{chain.find("End"), {}, {}}, .weight = -1}}, {})
                  .find("weight"),
              std::string::npos);
    EXPECT_NE(errorOf({reachFor(chain, "End", {}, 3)}, {}).find("level"), std::string::npos);
    EXPECT_NE(errorOf({{.kind = OrientationGoal{chain.find("End"), {0, 0, 0, 0}}}}, {})
                  .find("quaternion"),
              std::string::npos);
    for (const IkMethod method : {IkMethod::Ccd, IkMethod::Fabrik, IkMethod::TwoBone}) {
        IkOptions options;
        options.method = method;
        EXPECT_NE(errorOf({{.kind = OrientationGoal{chain.find("End"), {}}}}, options)
                      .find("orientation"),
                  std::string::npos);
    }
    IkOptions elsewhere;
    elsewhere.chain = chain.find("End");
    EXPECT_NE(errorOf({reachFor(chain, "B1", {})}, elsewhere).find("holds no goal"),
              std::string::npos);
    IkOptions dls;
    dls.method = IkMethod::Dls;
    EXPECT_NE(
        errorOf({reachFor(chain, "End", {}), reachFor(chain, "B1", {}, 2)}, dls).find("priorities"),
        std::string::npos);
}

}  // namespace
}  // namespace ulna
