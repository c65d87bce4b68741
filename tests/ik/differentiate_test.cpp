// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "support/random_rigs.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

IkDerivatives mustDifferentiate(const Skeleton& rig, std::span<const IkGoal> goals,
                                std::span<const double> dofs, const IkOptions& options = {}) {
    Result<IkDerivatives> out = differentiateIk(rig, goals, dofs, options);
    if (!out) {
        ADD_FAILURE() << describe(out.error());
        return {};
    }
    return *std::move(out);
}

void moveTarget(IkGoal& goal, std::size_t k, double by) {
    const GoalTarget target = targetOf(goal.kind);
    Vec3 move;
    move[k] = by;
    if (target.point != nullptr) *target.point += move;
    if (target.rotation != nullptr) *target.rotation = quatExp(move) * *target.rotation;
}

// With a posture there is one minimum nearby, whatever the goals leave: the solver itself is the
// oracle, solved again with targets a little to either side.
TEST(DifferentiateIk, IsTheDifferenceOfSolves) {
    constexpr double kStep = 1e-4;
    int looked = 0, moved = 0;
    for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(static_cast<std::uint64_t>(seed) + 900);
        const Skeleton rig = randomRig(random, {.most_joints = 8, .limits = seed % 2 == 0});
        std::vector<IkGoal> goals =
            randomGoals(random, rig, {.most = 3, .reachable = seed % 3 == 0});
        goals.push_back({.kind = PostureGoal{randomAllowedDofs(random, rig), {}}, .weight = 0.05});
        DofVector answer = randomAllowedDofs(random, rig);
        const IkOptions options{.continuity = true};
        Result<IkSolver> solver = IkSolver::make(rig, goals, options);
        ASSERT_TRUE(solver) << describe(solver.error());
        for (int again = 0; again < 3; ++again) solver->solve(answer);
        if (solver->solve(answer).gradient > 1e-9) continue;
        const IkDerivatives derivatives = mustDifferentiate(rig, goals, answer, options);
        ASSERT_EQ(derivatives.by_target.size(), answer.size() * 3 * goals.size());
        for (std::size_t g = 0; g + 1 < goals.size(); ++g) {
            for (std::size_t k = 0; k < 3; ++k) {
                std::array<DofVector, 2> sides = {answer, answer};
                bool still = true;
                for (std::size_t side = 0; side < 2; ++side) {
                    IkGoal& goal = solver->goals()[g];
                    const IkGoal was = goal;
                    moveTarget(goal, k, side == 0 ? kStep : -kStep);
                    for (int again = 0; again < 3; ++again) solver->solve(sides[side]);
                    still = still && solver->solve(sides[side]).gradient < 1e-9;
                    goal = was;
                }
                if (!still) continue;
                ++looked;
                for (std::size_t d = 0; d < answer.size(); ++d) {
                    const double expected = (sides[0][d] - sides[1][d]) / (2.0 * kStep);
                    // At a limit one side may stay while the other moves.
                    const double ahead = (sides[0][d] - answer[d]) / kStep;
                    const double back = (answer[d] - sides[1][d]) / kStep;
                    if (std::abs(ahead - back) > 1e-2 * (1.0 + std::abs(expected))) continue;
                    moved += std::abs(expected) > 0.01 ? 1 : 0;
                    EXPECT_NEAR(derivatives.at(d, g, k), expected,
                                1e-2 * (1.0 + std::abs(expected)))
                        << "degree of freedom " << d << ", goal " << g << " "
                        << goalKindName(goals[g].kind) << ", component " << k;
                }
            }
        }
    }
    EXPECT_GT(looked, 200);
    EXPECT_GT(moved, 300);
}

// A body with freedom to spare follows its targets exactly, by forward kinematics.
TEST(DifferentiateIk, GoalsThatAreMetStayMet) {
    constexpr double kStep = 1e-5;
    int looked = 0;
    for (int seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(static_cast<std::uint64_t>(seed) + 40);
        const Skeleton rig =
            randomRig(random, {.least_joints = 5, .most_joints = 12, .limits = false});
        const std::vector<IkGoal> goals =
            randomGoals(random, rig, {.most = 2, .positions_only = true});
        DofVector answer = randomAllowedDofs(random, rig);
        const IkReport report = mustSolve(rig, goals, {.position_tolerance = 1e-10}, answer);
        if (report.status != IkStatus::Reached) continue;
        const IkDerivatives derivatives = mustDifferentiate(rig, goals, answer);
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const auto& goal = std::get<PositionGoal>(goals[g].kind);
            const auto handAt = [&](const DofVector& dofs) {
                return computeModelPose(rig, computePose(rig, dofs))[goal.joint] * goal.point;
            };
            for (std::size_t k = 0; k < 3; ++k) {
                DofVector there = answer, back = answer;
                for (std::size_t d = 0; d < answer.size(); ++d) {
                    there[d] += kStep * derivatives.at(d, g, k);
                    back[d] -= kStep * derivatives.at(d, g, k);
                }
                Vec3 expected;
                expected[k] = 1.0;
                const Vec3 found = (handAt(there) - handAt(back)) / (2.0 * kStep);
                // What it cannot follow, as one bone cannot follow along itself, no solve reaches.
                std::vector<IkGoal> moved = goals;
                moveTarget(moved[g], k, 1e-3);
                DofVector solved = answer;
                if (mustSolve(rig, moved, {.position_tolerance = 1e-8}, solved).status !=
                    IkStatus::Reached)
                    continue;
                EXPECT_LT(distance(found, expected), 1e-4) << "goal " << g << " component " << k;
                ++looked;
            }
        }
    }
    EXPECT_GT(looked, 100);
}

TEST(DifferentiateIk, PullsGradientsBack) {
    Random random(5);
    const Skeleton rig = randomRig(random, {.most_joints = 6});
    const std::vector<IkGoal> goals = randomGoals(random, rig, {});
    DofVector answer = randomAllowedDofs(random, rig);
    mustSolve(rig, goals, {}, answer);
    const IkDerivatives derivatives = mustDifferentiate(rig, goals, answer);
    std::vector<double> gradient(answer.size());
    for (double& x : gradient) x = random.between(-1.0, 1.0);
    const std::vector<double> back = derivatives.pullBack(gradient);
    ASSERT_EQ(back.size(), 3 * goals.size());
    for (std::size_t t = 0; t < back.size(); ++t) {
        double sum = 0.0;
        for (std::size_t d = 0; d < answer.size(); ++d)
            sum += gradient[d] * derivatives.at(d, t / 3, t % 3);
        EXPECT_NEAR(back[t], sum, 1e-12 * (1.0 + std::abs(sum)));
    }
}

TEST(DifferentiateIk, RefusesWhatHasNoDerivative) {
    Random random(8);
    const Skeleton rig = randomRig(random, {.least_joints = 4});
    std::vector<IkGoal> goals(2, {.kind = PositionGoal{jointId(3), {}, {1, 0, 0}}});
    goals[1].level = 2;
    const DofVector dofs(rig.dofCount(), 0.0);
    const Result<IkDerivatives> levels = differentiateIk(rig, goals, dofs);
    ASSERT_FALSE(levels);
    EXPECT_EQ(levels.error().what, "an answer of two levels has no derivative");
    goals.pop_back();
    DofVector broken = dofs;
    broken[0] = std::nan("");
    const Result<IkDerivatives> finite = differentiateIk(rig, goals, broken);
    ASSERT_FALSE(finite);
    EXPECT_EQ(finite.error().what, "a target or a coordinate is not a finite number");
}

}  // namespace
}  // namespace ulna::test
