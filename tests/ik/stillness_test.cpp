// SPDX-License-Identifier: Apache-2.0

// An answer that is solved again stays where it is, whatever became of its goals: from coordinates,
// from poses, with restarts, continuity and postures.
#include <gtest/gtest.h>

#include <string>

#include "support/random_rigs.h"
#include "support/skeletons.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/solver.h"

namespace ulna::test {
namespace {

constexpr double kStill = 1e-6;  // radians, and of the reach

// The largest rotation of a joint between two states, or shift in units of the reach.
double movedBetween(const Skeleton& rig, std::span<const double> a, std::span<const double> b,
                    double reach) {
    double out = 0.0;
    for (const JointId j : rig.joints()) {
        const PlainMatrix one = plainJoint(rig, j, ownDofs(rig, j, a));
        const PlainMatrix two = plainJoint(rig, j, ownDofs(rig, j, b));
        out = std::max({out, plainAngle(withoutScale(one), withoutScale(two)),
                        distance(one.origin(), two.origin()) / reach});
    }
    return out;
}

double movedBetween(const Skeleton& rig, const Pose& a, const Pose& b) {
    double out = 0.0;
    for (const JointId j : rig.joints())
        out = std::max(out, angleBetween(a[j].rotation, b[j].rotation));
    return out;
}

struct Moves {
    int looked = 0, moved = 0;
    std::string seeds;
};

// Solves each of these problems twice; what moved, with its seeds.
Moves solveTwice(const IkOptions& options, bool posture, int problems) {
    Moves out;
    for (int seed = 0; seed < problems; ++seed) {
        Random random(static_cast<std::uint64_t>(seed) + 7000);
        const Skeleton rig =
            randomRig(random, {.planar = seed % 7 == 0, .wide_limits = seed % 3 == 0});
        std::vector<IkGoal> goals = randomGoals(random, rig, {.reachable = seed % 2 == 0});
        if (posture) goals.push_back({.kind = PostureGoal{}, .weight = 1e-3});
        Result<IkSolver> solver = IkSolver::make(rig, goals, options);
        if (!solver) continue;
        DofVector first = randomAllowedDofs(random, rig);
        Pose pose = computePose(rig, first);
        solver->solve(first);
        DofVector second = first;
        solver->solve(second);
        solver->solve(pose);
        const Pose first_pose = pose;
        solver->solve(pose);
        const double by_dofs = movedBetween(rig, first, second, solver->reach());
        const double by_pose = movedBetween(rig, first_pose, pose);
        ++out.looked;
        if (by_dofs <= kStill && by_pose <= kStill) continue;
        ++out.moved;
        out.seeds += " " + std::to_string(seed) + " (" + std::to_string(by_dofs) + ", " +
                     std::to_string(by_pose) + ")";
    }
    return out;
}

TEST(Stillness, AnswersOfRandomProblemsStay) {
    const Moves moves = solveTwice({}, false, 160);
    EXPECT_GT(moves.looked, 140);
    EXPECT_EQ(moves.moved, 0) << moves.seeds;
}

TEST(Stillness, AlsoWithRestarts) {
    const Moves moves = solveTwice({.restarts = 3}, false, 60);
    EXPECT_GT(moves.looked, 45);
    EXPECT_EQ(moves.moved, 0) << moves.seeds;
}

TEST(Stillness, AlsoWithContinuity) {
    const Moves moves = solveTwice({.continuity = true}, false, 60);
    EXPECT_GT(moves.looked, 45);
    EXPECT_EQ(moves.moved, 0) << moves.seeds;
}

TEST(Stillness, AlsoWithAPosture) {
    const Moves moves = solveTwice({}, true, 60);
    EXPECT_GT(moves.looked, 45);
    EXPECT_EQ(moves.moved, 0) << moves.seeds;
}

// An eye that slides along its own line of sight sees its target better the farther it is: the best
// answer is at infinity.
TEST(Stillness, AnAnswerOnItsWayToInfinityStops) {
    const Skeleton rig = build({{.name = "base", .kind = JointKind::Fixed},
                                {.name = "eye", .parent = "base", .kind = JointKind::Prismatic},
                                {.name = "tip",
                                 .parent = "eye",
                                 .kind = JointKind::Fixed,
                                 .rest = {.translation = {1, 0, 0}}}});
    const AimGoal aim{.joint = rig.find("eye"),
                      .axis = rig.joint(rig.find("eye")).axes[0],
                      .target = anyPerpendicular(rig.joint(rig.find("eye")).axes[0]) * 2.0};
    DofVector dofs(rig.dofCount(), 0.0);
    const std::vector<IkGoal> goals = {{.kind = aim}};
    const Result<IkReport> report = solveIk(rig, goals, {}, dofs);
    ASSERT_TRUE(report);
    EXPECT_NE(report->status, IkStatus::MaxIterations);
    const DofVector before = dofs;
    ASSERT_TRUE(solveIk(rig, goals, {}, dofs));
    EXPECT_EQ(dofs, before);
}

// A ball that nothing pulls, above a hinge that is locked: the distance back to the base cannot
// change, and the ball must not wander.
TEST(Stillness, AJointWithoutInfluenceOnAStuckGoalDoesNotMove) {
    const Skeleton rig = build({{.name = "base", .kind = JointKind::Fixed},
                                {.name = "ball", .parent = "base", .kind = JointKind::Ball},
                                {.name = "hinge",
                                 .parent = "ball",
                                 .kind = JointKind::Hinge,
                                 .rest = {.translation = {0, 1, 0}},
                                 .locked = true},
                                {.name = "end",
                                 .parent = "hinge",
                                 .kind = JointKind::Fixed,
                                 .rest = {.translation = {0, 1, 0}}}});
    const std::vector<IkGoal> goals = {
        {DistanceGoal{.joint_a = rig.find("base"), .joint_b = rig.find("end"), .distance = 1.0}}};
    DofVector dofs(rig.dofCount(), 0.0);
    dofs[0] = 0.3, dofs[1] = -0.4, dofs[2] = 0.5;
    const DofVector before = dofs;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(solveIk(rig, goals, {}, dofs));
    for (std::size_t d = 0; d < dofs.size(); ++d) EXPECT_NEAR(dofs[d], before[d], 1e-9);
}

// The twist of a swing of half a revolution is not determined; answers keep away from there.
TEST(Cones, OfHalfARevolutionKeepTheirTwistLimits) {
    constexpr int kProblems = 60;
    for (int seed = 0; seed < kProblems; ++seed) {
        SCOPED_TRACE(seed);
        Random random(static_cast<std::uint64_t>(seed) + 90);
        std::vector<JointDef> joints;
        for (int i = 0; i < 4; ++i) {
            JointDef joint{.name = "j" + std::to_string(i), .kind = JointKind::Ball};
            if (i > 0) joint.parent = "j" + std::to_string(i - 1);
            if (i > 0) joint.rest.translation = random.direction() * 0.4;
            joint.cone = ConeLimit{.axis = random.direction()};
            joint.cone->twist_min = -random.between(0.0, 1.0);
            joint.cone->twist_max = random.between(0.0, 1.0);
            joint.coordinates =
                seed % 2 == 0 ? BallCoordinates::Euler : BallCoordinates::RotationVector;
            joints.push_back(joint);
        }
        const Skeleton rig = build(joints);
        const std::vector<IkGoal> goals =
            randomGoals(random, rig, {.reachable = false, .positions_only = seed % 3 == 0});
        for (const IkMethod method : {IkMethod::Auto, IkMethod::Dls, IkMethod::ProjectedGradient}) {
            DofVector answer = randomAllowedDofs(random, rig);
            const Result<IkReport> report = solveIk(rig, goals, {.method = method}, answer);
            ASSERT_TRUE(report);
            EXPECT_LT(plainExcess(rig, answer), 1e-9) << ikMethodName(method);
            const std::vector<PlainMatrix> model = plainModel(rig, answer);
            for (std::size_t g = 0; g < goals.size(); ++g)
                EXPECT_NEAR(report->goal_errors[g], plainError(goals[g].kind, model), 1e-7)
                    << ikMethodName(method);
        }
    }
}

// In a batch a problem meets other problems whose locked joints are elsewhere.
TEST(Batches, ALockedJointThatDiffersBetweenProblemsChangesNoAnswer) {
    Random random(5);
    std::vector<JointDef> joints;
    for (int i = 0; i < 6; ++i) {
        JointDef joint{.name = "j" + std::to_string(i), .kind = JointKind::Ball};
        if (i > 0) joint.parent = "j" + std::to_string(i - 1);
        if (i > 0) joint.rest.translation = {0, 0.3, 0};
        joint.locked = i == 2;
        joints.push_back(joint);
    }
    const Skeleton rig = build(joints);
    const std::size_t n = rig.dofCount();
    const std::vector<IkGoal> goals = {{PositionGoal{.joint = rig.find("j5")}}};
    IkBatchProblems problems{.count = 40};
    for (std::size_t i = 0; i < problems.count; ++i) {
        problems.points.push_back(random.direction() * random.between(0.3, 1.2));
        // Problems 0, 4, 8, ... have the joint locked alike, the others all differ.
        DofVector start(n, 0.1);
        if (i % 4 != 0) start[rig.firstDof(rig.find("j2"))] = random.between(-1.0, 1.0);
        problems.starts.insert(problems.starts.end(), start.begin(), start.end());
    }
    const Result<IkBatchResult> whole = solveIkBatch(rig, goals, {}, problems);
    ASSERT_TRUE(whole);
    for (std::size_t i = 0; i < problems.count; ++i) {
        IkBatchProblems one{.count = 1, .points = {problems.points[i]}};
        const auto row = problems.starts.begin() + static_cast<std::ptrdiff_t>(i * n);
        one.starts.assign(row, row + static_cast<std::ptrdiff_t>(n));
        const Result<IkBatchResult> alone = solveIkBatch(rig, goals, {}, one);
        ASSERT_TRUE(alone);
        const DofVector in_batch(whole->dofs.begin() + static_cast<std::ptrdiff_t>(i * n),
                                 whole->dofs.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
        EXPECT_EQ(alone->dofs, in_batch) << i;
        EXPECT_EQ(in_batch[rig.firstDof(rig.find("j2"))], one.starts[rig.firstDof(rig.find("j2"))]);
    }
}

// Lengths in another unit: the same answer, for every kind of goal with lengths.
TEST(Units, AProblemScaledBy1024HasTheSameAngles) {
    constexpr double kScale = 1024.0;
    for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Random random(static_cast<std::uint64_t>(seed) + 300);
        const Skeleton small = randomRig(random, {.scales = false, .limits = false});
        std::vector<JointDef> joints(small.definitions().begin(), small.definitions().end());
        for (JointDef& joint : joints) {
            joint.rest.translation *= kScale;
            if (joint.tip) joint.tip = *joint.tip * kScale;
        }
        const Skeleton large = build(joints);
        std::vector<IkGoal> goals = randomGoals(random, small, {});
        DofVector first = randomAllowedDofs(random, small), second = first;
        for (std::size_t d = 0; d < second.size(); ++d)
            second[d] *= small.isAngle(d) ? 1.0 : kScale;
        const Result<IkReport> one = solveIk(small, goals, {}, first);
        for (IkGoal& goal : goals) {
            if (auto* g = std::get_if<PositionGoal>(&goal.kind))
                g->point *= kScale, g->target *= kScale;
            if (auto* g = std::get_if<AimGoal>(&goal.kind)) g->eye *= kScale, g->target *= kScale;
            if (auto* g = std::get_if<PlaneGoal>(&goal.kind))
                g->point *= kScale, g->offset *= kScale;
            if (auto* g = std::get_if<DistanceGoal>(&goal.kind))
                g->point_a *= kScale, g->point_b *= kScale, g->distance *= kScale;
        }
        const Result<IkReport> two = solveIk(large, goals, {}, second);
        ASSERT_TRUE(one && two);
        EXPECT_EQ(one->status, two->status);
        for (std::size_t d = 0; d < first.size(); ++d) {
            const double unit = small.isAngle(d) ? 1.0 : kScale;
            EXPECT_NEAR(first[d], second[d] / unit, 1e-9) << small.dofName(d);
        }
    }
}

}  // namespace
}  // namespace ulna::test
