// SPDX-License-Identifier: Apache-2.0

// Batches on a card: arrays of the device, streams, and what they have in common with arrays of the
// host. What the kernels compute is judged in gpu/batch_test.cpp.
#include "ulna/gpu/batch.h"

#include "gpu/card/card.h"
#include "support/ik.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

struct Case {
    Skeleton skeleton;
    std::vector<IkGoal> goals;
    IkBatchProblems problems;
    IkOptions options = {.position_tolerance = 1e-5, .restarts = 20};
};

// Targets of random poses within the limits, from random starts or from the middle.
Case makeCase(Skeleton skeleton, std::vector<IkGoal> goals, std::size_t count, bool random_starts) {
    Case out{std::move(skeleton), std::move(goals), {.count = count}};
    Random random(5);
    for (std::size_t i = 0; i < count; ++i) {
        const ModelPose model = computeModelPose(
            out.skeleton, computePose(out.skeleton, allowedDofs(out.skeleton, random)));
        for (const IkGoal& goal : out.goals)
            out.problems.points.push_back(model.position(std::get<PositionGoal>(goal.kind).joint));
        const DofVector start =
            random_starts ? allowedDofs(out.skeleton, random) : middleOfLimits(out.skeleton);
        out.problems.starts.insert(out.problems.starts.end(), start.begin(), start.end());
    }
    return out;
}

Case arm(std::size_t count) {
    std::vector<JointDef> joints;
    for (int i = 0; i < 5; ++i) {
        joints.push_back(joint("J" + std::to_string(i), i == 0 ? "" : "J" + std::to_string(i - 1),
                               i == 1 ? JointKind::Prismatic : JointKind::Hinge, {0, 0.3, 0}));
        joints.back().axes[0] = i % 2 == 0 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        joints.back().limits[0] = i == 1 ? DofLimit{-0.2, 0.2} : DofLimit{-2.0, 2.0};
    }
    joints.push_back(joint("End", "J4", JointKind::Fixed, {0, 0.2, 0}));
    joints.push_back(joint("Other", "J0", JointKind::Hinge, {0.1, 0, 0}));
    Skeleton skeleton = build(std::move(joints));
    std::vector<IkGoal> goals = {reachFor(skeleton, "End", {})};
    return makeCase(std::move(skeleton), std::move(goals), count, true);
}

Case person(std::size_t count) {
    Skeleton skeleton = limitedPerson();
    std::vector<IkGoal> goals;
    for (const char* end : kEnds) goals.push_back(reachFor(skeleton, end, {}));
    return makeCase(std::move(skeleton), std::move(goals), count, false);
}

// The same by arrays of the device: from degrees of freedom to degrees of freedom.
std::vector<double> solvedOnDevice(const Case& c, GpuBatch& batch, std::vector<int>& status) {
    const std::size_t count = c.problems.count, n = c.skeleton.dofCount();
    const GpuArray points =
        must(GpuArray::make(0, std::span(&c.problems.points[0].x, 3 * c.problems.points.size())));
    const GpuArray starts = must(GpuArray::make(0, c.problems.starts));
    GpuArray states = must(GpuArray::make(0, count * batch.stateSize()));
    GpuArray answers = must(GpuArray::make(0, count * batch.stateSize()));
    GpuArray dofs = must(GpuArray::make(0, count * n));
    auto ended = must(GpuArrayOf<int>::make(0, count));
    must(batch.computeStates(count, starts.data(), states.data()));
    must(batch.solve({.count = count, .points = points.data(), .starts = states.data()},
                     {.states = answers.data(), .status = ended.data()}));
    must(batch.computeDofs(count, answers.data(), dofs.data()));
    status = valuesOf(ended);
    return valuesOf(dofs);
}

void checkDevice(const Case& c, bool same_dofs) {
    GpuBatch batch = must(GpuBatch::make(c.skeleton, c.goals, c.options));
    const IkBatchResult host = must(batch.solve(c.problems));
    std::vector<int> status;
    const std::vector<double> dofs = solvedOnDevice(c, batch, status);
    const std::size_t n = c.skeleton.dofCount();
    std::size_t reached = 0;
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        EXPECT_EQ(static_cast<IkStatus>(status[i]), host.reports[i].status) << i;
        if (host.reports[i].status != IkStatus::Reached) continue;
        ++reached;
        const std::span<const double> own(dofs.data() + i * n, n);
        EXPECT_LE(limitExcess(c.skeleton, own), 1e-9);
        for (std::size_t g = 0; g < c.goals.size(); ++g) {
            PositionGoal goal = std::get<PositionGoal>(c.goals[g].kind);
            goal.target = c.problems.points[i * c.goals.size() + g];
            EXPECT_LE(errorByFk(c.skeleton, own, goal), 1.001e-5) << i;
        }
    }
    EXPECT_GE(reached, c.problems.count * 9 / 10);
    if (same_dofs) {
        // "Other" is above no goal: the host keeps it as it starts, the device where the base is.
        const std::size_t other = c.skeleton.firstDof(c.skeleton.find("Other"));
        for (std::size_t i = 0; i < dofs.size(); ++i) {
            if (i % n == other) {
                EXPECT_EQ(dofs[i], 0.0);  // the middle of its limits, which are none
                continue;
            }
            EXPECT_EQ(dofs[i], host.dofs[i]) << i;
        }
    }
}

TEST(GpuBatchOnACard, SolvesArraysOfTheDeviceAsThoseOfTheHost) {
    checkDevice(arm(80), true);
}

TEST(GpuBatchOnACard, SolvesArraysOfTheDeviceForBodiesWithBalls) {
    checkDevice(person(20), false);
}

TEST(GpuBatchOnACard, WorksOnAStreamOfTheCallers) {
    const Case c = arm(40);
    GpuBatch first = must(GpuBatch::make(c.skeleton, c.goals, c.options));
    const IkBatchResult expected = must(first.solve(c.problems));
    Stream stream;
    GpuBatch batch =
        must(GpuBatch::make(c.skeleton, c.goals, c.options, {.stream = stream.handle()}));
    EXPECT_EQ(must(batch.solve(c.problems)).dofs, expected.dofs);
    const int launches = stream.launches();
    EXPECT_TRUE(launches >= 2 || launches == -1);
    batch.setStream(nullptr);
    EXPECT_EQ(must(batch.solve(c.problems)).dofs, expected.dofs);
    EXPECT_EQ(stream.launches(), launches);
}

TEST(GpuBatchOnACard, AllocatesNothingAfterTheLargestBatch) {
    const Case c = arm(60);
    GpuBatch batch = must(GpuBatch::make(c.skeleton, c.goals, c.options));
    must(batch.solve(c.problems));
    const std::size_t before = freeMemory();
    must(batch.solve(c.problems));
    EXPECT_EQ(freeMemory(), before);
}

TEST(GpuBatchOnACard, AgreesWithTheProcessor) {
    const Case c = person(60);
    GpuBatch batch = must(GpuBatch::make(c.skeleton, c.goals, c.options));
    const IkBatchResult gpu = must(batch.solve(c.problems));
    const IkBatchResult processor = must(solveIkBatch(c.skeleton, c.goals, c.options, c.problems));
    std::size_t on_gpu = 0, on_processor = 0;
    for (std::size_t i = 0; i < 60; ++i) {
        on_gpu += gpu.reports[i].status == IkStatus::Reached ? 1 : 0;
        on_processor += processor.reports[i].status == IkStatus::Reached ? 1 : 0;
    }
    EXPECT_GE(on_gpu, 58u);
    EXPECT_GE(on_processor, 58u);
}

TEST(GpuMemory, CopiesWhatItIsGiven) {
    const std::vector<double> values = {1.5, -2.0, 3.25};
    EXPECT_EQ(valuesOf(must(GpuArray::make(0, values))), values);
    EXPECT_EQ(must(GpuArray::make(0, std::size_t{0})).size(), 0u);
    EXPECT_FALSE(GpuArray::make(7, values));
    EXPECT_FALSE(GpuArray::make(0, std::size_t{1} << 50));
}

}  // namespace
}  // namespace ulna
