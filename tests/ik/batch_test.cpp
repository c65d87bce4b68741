// SPDX-License-Identifier: Apache-2.0

// Batches: judged by forward kinematics, and independent of lanes, order and threads to the bit.
#include "ulna/ik/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "support/ik.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

// Three links with limits and a ball without: what lanes do.
Skeleton laneArm() {
    std::vector<JointDef> joints = {joint("A", "", JointKind::Hinge, {0.1, 0, 0}),
                                    joint("B", "A", JointKind::Ball, {0, 0.3, 0}),
                                    joint("C", "B", JointKind::Ball, {0, 0.3, 0.05}),
                                    joint("D", "C", JointKind::Universal, {0, 0.3, 0})};
    joints[0].axes[0] = {0, 0.6, 0.8};
    joints[0].limits[0] = {-2.0, 2.5};
    joints[1].order = EulerOrder::Zxy;
    for (std::size_t i = 0; i < 3; ++i) joints[1].limits[i] = {-1.4, 1.3};
    joints[3].limits[0] = {-1.0, 1.0};
    joints[3].limits[1] = {-1.5, 1.5};
    return build(std::move(joints));
}

struct BatchCase {
    std::vector<IkGoal> goals;
    IkBatchProblems problems;
};

BatchCase makeCase(const Skeleton& skeleton, std::size_t count, std::uint64_t seed) {
    BatchCase out;
    const JointId hand = skeleton.find("D");
    out.goals = {{.kind = PositionGoal{hand, {0, 0.1, 0}, {}}},
                 {.kind = OrientationGoal{hand, {}}}};
    out.problems.count = count;
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        const ModelPose model =
            computeModelPose(skeleton, computePose(skeleton, allowedDofs(skeleton, random)));
        out.problems.points.insert(out.problems.points.end(),
                                   {model[hand] * Vec3{0, 0.1, 0}, Vec3{}});
        out.problems.orientations.insert(out.problems.orientations.end(),
                                         {Quat{}, rotationOf(model[hand])});
    }
    return out;
}

IkBatchResult mustSolveBatch(const Skeleton& skeleton, const BatchCase& c, const IkOptions& options,
                             unsigned threads) {
    Result<IkBatchResult> result = solveIkBatch(skeleton, c.goals, options, c.problems, threads);
    if (result) return *std::move(result);
    ADD_FAILURE() << describe(result.error());
    return {};
}

const IkOptions kOptions = {.position_tolerance = 1e-5, .angle_tolerance = 1e-5, .restarts = 50};

TEST(IkBatch, MeetsItsToleranceByForwardKinematics) {
    const Skeleton arm = laneArm();
    const BatchCase c = makeCase(arm, 1000, 1);
    const IkBatchResult result = mustSolveBatch(arm, c, kOptions, 1);
    int reached = 0;
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        const std::span<const double> dofs(result.dofs.data() + i * arm.dofCount(), arm.dofCount());
        EXPECT_LE(limitExcess(arm, dofs), 1e-9) << "problem " << i;
        const PositionGoal place{arm.find("D"), {0, 0.1, 0}, c.problems.points[2 * i]};
        const OrientationGoal turn{arm.find("D"), c.problems.orientations[2 * i + 1]};
        const bool met = errorByFk(arm, dofs, place) <= 1e-5 && errorByFk(arm, dofs, turn) <= 1e-5;
        EXPECT_EQ(met, result.reports[i].status == IkStatus::Reached) << "problem " << i;
        reached += met ? 1 : 0;
    }
    EXPECT_GE(reached, 995);
}

// What a single solve reaches from one start, a batch reaches from it too.
TEST(IkBatch, SolvesFromOneStartWhatSingleSolvesDo) {
    const Skeleton arm = laneArm();
    BatchCase c = makeCase(arm, 1000, 4);
    c.problems.starts.assign(arm.dofCount(), 0.1);
    IkOptions options = kOptions;
    options.restarts = 0;
    const IkBatchResult result = mustSolveBatch(arm, c, options, 1);
    Result<IkSolver> single = IkSolver::make(arm, c.goals, options);
    ASSERT_TRUE(single);
    int alone = 0, together = 0;
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        std::get<PositionGoal>(single->goals()[0].kind).target = c.problems.points[2 * i];
        std::get<OrientationGoal>(single->goals()[1].kind).target =
            c.problems.orientations[2 * i + 1];
        DofVector dofs = c.problems.starts;
        alone += single->solve(dofs).status == IkStatus::Reached ? 1 : 0;
        together += result.reports[i].status == IkStatus::Reached ? 1 : 0;
    }
    EXPECT_GT(alone, 700);
    EXPECT_GE(together, alone);
}

TEST(IkBatch, LongChainsReachTargetsThatNearlyStraightenThem) {
    const Skeleton chain = ballChain(100);
    const JointId end = chain.find("End");
    Random random(12);
    IkBatchProblems problems{.count = 300};
    for (std::size_t i = 0; i < problems.count; ++i)
        problems.points.push_back(random.direction() * random.between(0.97, 0.9999));
    const std::vector<IkGoal> goals = {{.kind = PositionGoal{end, {}, {}}}};
    const Result<IkBatchResult> result =
        solveIkBatch(chain, goals, {.position_tolerance = 1e-3}, problems);
    ASSERT_TRUE(result);
    int reached = 0;
    for (std::size_t i = 0; i < problems.count; ++i) {
        const std::span<const double> dofs(result->dofs.data() + i * chain.dofCount(),
                                           chain.dofCount());
        reached += errorByFk(chain, dofs, PositionGoal{end, {}, problems.points[i]}) <= 1e-3;
    }
    EXPECT_EQ(reached, 300);
}

TEST(IkBatch, AnswersDoNotDependOnThreadsOrderOrNeighbours) {
    const Skeleton arm = laneArm();
    const BatchCase c = makeCase(arm, 700, 2);
    const IkBatchResult one = mustSolveBatch(arm, c, kOptions, 1);
    const IkBatchResult many = mustSolveBatch(arm, c, kOptions, 4);
    EXPECT_EQ(one.dofs, many.dofs);
    // In another order: every problem in another lane, behind other problems.
    const std::size_t n = arm.dofCount();
    std::vector<std::size_t> order(c.problems.count);
    std::iota(order.begin(), order.end(), 0);
    Random random(3);
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    BatchCase shuffled = c;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t g = 0; g < 2; ++g) {
            shuffled.problems.points[2 * i + g] = c.problems.points[2 * order[i] + g];
            shuffled.problems.orientations[2 * i + g] = c.problems.orientations[2 * order[i] + g];
        }
    }
    const IkBatchResult mixed = mustSolveBatch(arm, shuffled, kOptions, 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_TRUE(std::equal(mixed.dofs.begin() + static_cast<std::ptrdiff_t>(i * n),
                               mixed.dofs.begin() + static_cast<std::ptrdiff_t>((i + 1) * n),
                               one.dofs.begin() + static_cast<std::ptrdiff_t>(order[i] * n)))
            << "problem " << i;
    }
}

TEST(IkBatch, ABadProblemHarmsNoOther) {
    const Skeleton arm = laneArm();
    BatchCase c = makeCase(arm, 40, 4);
    const IkBatchResult clean = mustSolveBatch(arm, c, kOptions, 1);
    c.problems.points[2 * 7].x = std::numeric_limits<double>::quiet_NaN();
    c.problems.orientations[2 * 20 + 1] = {0, 0, 0, 0};
    const IkBatchResult result = mustSolveBatch(arm, c, kOptions, 1);
    const std::size_t n = arm.dofCount();
    for (std::size_t i = 0; i < 40; ++i) {
        if (i == 7 || i == 20) {
            EXPECT_EQ(result.reports[i].status, IkStatus::BadGoal);
            continue;
        }
        for (std::size_t d = 0; d < n; ++d)
            EXPECT_EQ(result.dofs[i * n + d], clean.dofs[i * n + d]) << "problem " << i;
    }
}

TEST(IkBatch, GoalsThatLanesCannotDoAreSolvedOneByOne) {
    const Skeleton person = limitedPerson();  // cones, hinges
    BatchCase c;
    c.goals = {reachFor(person, "LeftHand", {}),
               {.kind = AimGoal{person.find("Head"), {0, 0, 1}, {}, {}}}};
    c.problems.count = 30;
    Random random(5);
    for (std::size_t i = 0; i < 30; ++i) {
        const ModelPose model =
            computeModelPose(person, computePose(person, allowedDofs(person, random)));
        c.problems.points.push_back(model.position(person.find("LeftHand")));
        c.problems.points.push_back(model.position(person.find("Head")) + Vec3{0.2, 0.1, 2.0});
    }
    const IkBatchResult one = mustSolveBatch(person, c, {.restarts = 10}, 1);
    const IkBatchResult two = mustSolveBatch(person, c, {.restarts = 10}, 2);
    EXPECT_EQ(one.dofs, two.dofs);
    int reached = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        const std::span<const double> dofs(one.dofs.data() + i * person.dofCount(),
                                           person.dofCount());
        EXPECT_LE(limitExcess(person, dofs), 1e-9);
        const PositionGoal hand{person.find("LeftHand"), {}, c.problems.points[2 * i]};
        reached += errorByFk(person, dofs, hand) < 2e-4 ? 1 : 0;
    }
    EXPECT_GE(reached, 29);
}

TEST(IkBatch, StartsMayDifferAndLockedJointsKeepThem) {
    const Skeleton arm = laneArm();
    BatchCase c = makeCase(arm, 20, 6);
    c.goals.pop_back();  // position only
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < 20; ++i) points.push_back(c.problems.points[2 * i]);
    c.problems.points = points;
    c.problems.orientations.clear();
    Random random(7);
    for (std::size_t i = 0; i < 20; ++i) {
        const DofVector start = allowedDofs(arm, random);
        c.problems.starts.insert(c.problems.starts.end(), start.begin(), start.end());
    }
    IkOptions options = kOptions;
    options.locked = {arm.find("A")};
    const IkBatchResult result = mustSolveBatch(arm, c, options, 1);
    for (std::size_t i = 0; i < 20; ++i)
        EXPECT_EQ(result.dofs[i * arm.dofCount()], c.problems.starts[i * arm.dofCount()]);
}

// One problem of a batch as a batch of its own, its weights those of the goals.
BatchCase alone(const BatchCase& c, std::size_t i) {
    const std::size_t goals = c.goals.size();
    const auto part = [&](const auto& all) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * goals);
        return std::remove_cvref_t<decltype(all)>(first,
                                                  first + static_cast<std::ptrdiff_t>(goals));
    };
    BatchCase out{.goals = c.goals, .problems = {.count = 1, .points = part(c.problems.points)}};
    if (!c.problems.orientations.empty()) out.problems.orientations = part(c.problems.orientations);
    for (std::size_t g = 0; g < goals; ++g) {
        out.goals[g].weight = c.problems.weights[i * goals + g];
        out.goals[g].enabled = out.goals[g].weight > 0.0;
    }
    return out;
}

TEST(IkBatch, WeightsPerProblemAreThoseOfItsGoals) {
    const Skeleton arm = laneArm();
    const Skeleton person = limitedPerson();  // whose cones no lane can do
    for (const Skeleton* skeleton : {&arm, &person}) {
        BatchCase c;
        if (skeleton == &arm) {
            c = makeCase(arm, 60, 11);
        } else {
            c.goals = {reachFor(person, "LeftHand", {}), reachFor(person, "Head", {})};
            c.problems.count = 20;
        }
        Random random(12);
        while (c.problems.points.size() < 2 * c.problems.count)
            c.problems.points.push_back(random.direction() * 0.5);
        // Out of reach, so that weights decide; some goals off, with targets that are none.
        for (Vec3& point : c.problems.points) point = point * 2.0;
        for (std::size_t i = 0; i < 2 * c.problems.count; ++i) {
            const bool off = random.below(4) == 0;
            c.problems.weights.push_back(off ? 0.0 : random.between(0.1, 10.0));
            if (off) c.problems.points[i].x = std::numeric_limits<double>::quiet_NaN();
        }
        const IkBatchResult together = mustSolveBatch(*skeleton, c, {}, 1);
        EXPECT_EQ(mustSolveBatch(*skeleton, c, {}, 3).dofs, together.dofs);
        const std::size_t n = skeleton->dofCount();
        for (std::size_t i = 0; i < c.problems.count; ++i) {
            BatchCase own = alone(c, i);
            for (Vec3& point : own.problems.points) point.x = std::isnan(point.x) ? 0.3 : point.x;
            const IkBatchResult one = mustSolveBatch(*skeleton, own, {}, 1);
            EXPECT_EQ(one.reports[0].status, together.reports[i].status) << "problem " << i;
            for (std::size_t d = 0; d < n; ++d)
                EXPECT_EQ(one.dofs[d], together.dofs[i * n + d]) << "problem " << i;
        }
    }
}

TEST(IkBatch, WeightsPerProblemDivideAConflict) {
    const Skeleton arm = laneArm();
    const JointId hand = arm.find("D");
    const PositionGoal goal{hand, {}, {}};
    BatchCase c{.goals = {{.kind = goal}, {.kind = goal}}, .problems = {.count = 50}};
    Random random(13);
    std::vector<Vec3> means;
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        const ModelPose model = computeModelPose(arm, computePose(arm, allowedDofs(arm, random)));
        const Vec3 apart = random.direction() * 0.05;
        const double first = random.between(0.5, 2.0), second = random.between(0.5, 2.0);
        c.problems.points.insert(c.problems.points.end(), {model.position(hand) + apart * second,
                                                           model.position(hand) - apart * first});
        c.problems.weights.insert(c.problems.weights.end(), {first, second});
        means.push_back(model.position(hand));
    }
    const IkBatchResult result = mustSolveBatch(arm, c, {.restarts = 20}, 1);
    int right = 0;
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        const std::span<const double> dofs(result.dofs.data() + i * arm.dofCount(), arm.dofCount());
        right += errorByFk(arm, dofs, PositionGoal{hand, {}, means[i]}) < 1e-3 ? 1 : 0;
    }
    EXPECT_GE(right, 48);
}

TEST(IkBatch, WeightsThatAreNoneAreBadGoals) {
    const Skeleton arm = laneArm();
    BatchCase c = makeCase(arm, 6, 14);
    c.problems.weights.assign(12, 1.0);
    const IkBatchResult plain = mustSolveBatch(arm, c, {}, 1);
    c.problems.weights[3] = -1.0;
    c.problems.weights[8] = std::numeric_limits<double>::quiet_NaN();
    const IkBatchResult result = mustSolveBatch(arm, c, {}, 1);
    for (const std::size_t i : {1U, 4U}) EXPECT_EQ(result.reports[i].status, IkStatus::BadGoal);
    for (const std::size_t i : {0U, 2U, 3U, 5U})
        EXPECT_EQ(result.reports[i].error, plain.reports[i].error);
    c.problems.weights.pop_back();
    EXPECT_FALSE(solveIkBatch(arm, c.goals, {}, c.problems, 1));
}

TEST(IkBatch, AnEmptyBatchIsFineAndMissingTargetsAreAnError) {
    const Skeleton arm = laneArm();
    BatchCase c = makeCase(arm, 0, 8);
    EXPECT_TRUE(mustSolveBatch(arm, c, kOptions, 1).dofs.empty());
    c.problems.count = 3;
    EXPECT_FALSE(solveIkBatch(arm, c.goals, kOptions, c.problems, 1));
}

}  // namespace
}  // namespace ulna
