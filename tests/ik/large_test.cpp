// SPDX-License-Identifier: Apache-2.0

// Problems of sizes that nobody draws by hand: memory and time in proportion.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

Skeleton longChain(std::size_t joints) {
    std::vector<JointDef> defs(joints);
    for (std::size_t i = 0; i < joints; ++i) {
        defs[i].name = std::to_string(i);
        if (i > 0) defs[i].parent = defs[i - 1].name;
        defs[i].rest.translation = {0.0, 1.0 / static_cast<double>(joints), 0.0};
    }
    return *makeSkeleton(std::move(defs));
}

TEST(IkLarge, AChainOfAHundredThousandJointsReaches) {
    const Skeleton chain = longChain(100'000);
    const JointId tip{static_cast<std::int32_t>(chain.jointCount() - 1)};
    const PositionGoal goal{tip, {}, {0.3, 0.5, 0.1}};
    DofVector dofs(chain.dofCount(), 0.0);
    const Result<IkReport> report = solveIk(chain, std::vector{IkGoal{.kind = goal}}, {}, dofs);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->status, IkStatus::Reached);
    EXPECT_LT(
        distance(computeModelPose(chain, computePose(chain, dofs)).position(tip), goal.target),
        1e-4);
}

// The most memory that this process ever held, in MB.
long peakMemory() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

// A table of every pair of goals would take 12 GB.
TEST(IkLarge, TensOfThousandsOfGoalsTakeMemoryByTheirNumber) {
    const Skeleton chain = longChain(100);
    std::vector<IkGoal> goals(40'000);
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const JointId joint{static_cast<std::int32_t>(50 + i % 50)};
        goals[i].kind = PositionGoal{joint, {}, {0.001 * static_cast<double>(i % 100), 0.5, 0.1}};
    }
    DofVector dofs(chain.dofCount(), 0.0);
    const long before = peakMemory();
    const Result<IkReport> report = solveIk(chain, goals, {.max_iterations = 2}, dofs);
    EXPECT_LT(peakMemory() - before, 1000);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->status, IkStatus::MaxIterations);
}

// A system of every pair of rows would take 2 GB, and minutes to solve.
TEST(IkLarge, ThousandsOfGoalsOnTwoLevelsTakeMemoryByTheirNumber) {
    const Skeleton chain = longChain(20);
    std::vector<IkGoal> goals(4'000);
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const JointId joint{static_cast<std::int32_t>(10 + i % 10)};
        goals[i].kind = PositionGoal{joint, {}, {0.001 * static_cast<double>(i % 100), 0.5, 0.1}};
        goals[i].level = 1 + static_cast<int>(i % 2);
    }
    DofVector dofs(chain.dofCount(), 0.0);
    const long before = peakMemory();
    ASSERT_TRUE(solveIk(chain, goals, {.max_iterations = 2}, dofs));
    EXPECT_LT(peakMemory() - before, 500);
}

}  // namespace
}  // namespace ulna
