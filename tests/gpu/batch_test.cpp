// SPDX-License-Identifier: Apache-2.0

// Batches for the GPU: their kernels' source is run on the processor, and answers are judged by
// forward kinematics. Where there is a card, the same is asked of it.
#include "ulna/gpu/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/ik.h"
#include "ulna/gpu/detail/host_tables.h"
#include "ulna/gpu/detail/interpreter.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

struct Case {
    Skeleton skeleton;
    std::vector<IkGoal> goals;
    IkBatchProblems problems = {};
    IkOptions options = {.position_tolerance = 1e-5, .angle_tolerance = 1e-5, .restarts = 30};
};

// An arm of seven hinges with the limits of a robot's.
Case robotArm(std::size_t count) {
    std::vector<JointDef> joints;
    const Vec3 offsets[] = {{0, 0, 0.33},     {0, 0, 0}, {0, 0, 0.32}, {0.08, 0, 0},
                            {-0.08, 0, 0.38}, {0, 0, 0}, {0.09, 0, 0}};
    for (int i = 0; i < 7; ++i) {
        joints.push_back(joint("J" + std::to_string(i), i == 0 ? "" : "J" + std::to_string(i - 1),
                               JointKind::Hinge, offsets[i]));
        joints.back().axes[0] = i % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, i == 3 ? -1.0 : 1.0, 0};
        joints.back().limits[0] = i == 3 ? DofLimit{-3.07, -0.07} : DofLimit{-2.8, 2.8};
    }
    Case out{.skeleton = build(std::move(joints)), .goals = {}};
    const JointId hand = out.skeleton.find("J6");
    const Vec3 flange{0, 0, -0.1};
    out.goals = {{.kind = PositionGoal{hand, flange, {}}}, {.kind = OrientationGoal{hand, {}}}};
    out.problems.count = count;
    Random random(3);
    for (std::size_t i = 0; i < count; ++i) {
        const ModelPose model = computeModelPose(
            out.skeleton, computePose(out.skeleton, allowedDofs(out.skeleton, random)));
        out.problems.points.insert(out.problems.points.end(), {model[hand] * flange, Vec3{}});
        out.problems.orientations.insert(out.problems.orientations.end(),
                                         {Quat{}, rotationOf(model[hand])});
    }
    return out;
}

// A person with a free root, balls with and without limits on their angles, cones and hinges.
Case person(std::size_t count) {
    Case out{.skeleton = limitedPerson(), .goals = {}};
    for (const char* end : kEnds) out.goals.push_back(reachFor(out.skeleton, end, {}));
    out.problems.count = count;
    Random random(5);
    for (std::size_t i = 0; i < count; ++i) {
        const ModelPose model = computeModelPose(
            out.skeleton, computePose(out.skeleton, allowedDofs(out.skeleton, random)));
        for (const char* end : kEnds)
            out.problems.points.push_back(model.position(out.skeleton.find(end)));
    }
    return out;
}

// The kernels' source on the processor, as GpuBatch::solve goes about it.
IkBatchResult interpreted(const Case& c, int width) {
    const Skeleton& skeleton = c.skeleton;
    const DofVector middle = middleOfLimits(skeleton);
    const Result<BatchProgram> program = makeBatchProgram(skeleton, c.goals, c.options, middle);
    if (!program) {
        ADD_FAILURE() << describe(program.error());
        return {};
    }
    const gpu::detail::HostTables tables = gpu::detail::makeTables(skeleton, *program);
    const std::size_t n = skeleton.dofCount(), numbers = tables.stateSize();
    const std::size_t count = c.problems.count;
    std::vector<double> starts(count * numbers), states(count * numbers), errors(count);
    std::vector<float> best(count);
    std::vector<int> status(count, -1), iterations(count), attempts(count);
    DofVector dofs;
    for (std::size_t i = 0; i < count; ++i) {
        dofs = c.problems.starts.empty()
                   ? middle
                   : DofVector(c.problems.starts.begin() + static_cast<std::ptrdiff_t>(i * n),
                               c.problems.starts.begin() + static_cast<std::ptrdiff_t>(i * n + n));
        clampToLimits(skeleton, dofs);
        gpu::detail::computeState(skeleton, *program, dofs,
                                  std::span(starts).subspan(i * numbers, numbers));
    }
    gpu::kernel::Problems all = {};
    all.count = static_cast<long long>(count);
    all.points = c.problems.points.empty() ? nullptr : &c.problems.points[0].x;
    all.orientations = c.problems.orientations.empty() ? nullptr : &c.problems.orientations[0].x;
    all.weights = c.problems.weights.empty() ? nullptr : c.problems.weights.data();
    all.starts = starts.data();
    all.start_stride = static_cast<long long>(numbers);
    all.goals = static_cast<int>(c.goals.size());
    all.seed = c.options.seed;
    all.restarts = c.options.restarts;
    all.most_steps = 100;
    for (std::size_t k = 0; k < 3; ++k) all.origin[k] = program->origin[k];
    all.damping_floor = 1e-9 * program->reach * program->reach;
    const gpu::kernel::Answers answers = {.states = states.data(),
                                          .best_cost = best.data(),
                                          .status = status.data(),
                                          .iterations = iterations.data(),
                                          .attempts = attempts.data(),
                                          .error = errors.data()};
    gpu::detail::interpret(gpu::kernel::LargeTables(tables.view()), all, width, answers);
    IkBatchResult out;
    out.dofs.resize(count * n);
    for (std::size_t i = 0; i < count; ++i) {
        const std::span<double> own(out.dofs.data() + i * n, n);
        std::copy(middle.begin(), middle.end(), own.begin());
        gpu::detail::computeDofs(skeleton, *program,
                                 std::span(states).subspan(i * numbers, numbers), own);
        out.reports.push_back(
            {static_cast<IkStatus>(status[i]), iterations[i], attempts[i], errors[i]});
    }
    return out;
}

// Judges every answer by forward kinematics; returns how many meet their goals.
int judge(const Case& c, const IkBatchResult& result) {
    int met = 0;
    const std::size_t n = c.skeleton.dofCount();
    for (std::size_t i = 0; i < c.problems.count; ++i) {
        const std::span<const double> dofs(result.dofs.data() + i * n, n);
        EXPECT_LE(limitExcess(c.skeleton, dofs), 1e-9) << "problem " << i;
        bool all = true;
        for (std::size_t g = 0; g < c.goals.size(); ++g) {
            const std::size_t at = i * c.goals.size() + g;
            if (!c.goals[g].enabled) continue;
            if (const auto* p = std::get_if<PositionGoal>(&c.goals[g].kind))
                all = all && errorByFk(c.skeleton, dofs,
                                       PositionGoal{p->joint, p->point, c.problems.points[at]}) <=
                                 c.options.position_tolerance * (1.0 + 1e-6);
            else if (const auto* o = std::get_if<OrientationGoal>(&c.goals[g].kind))
                all = all && errorByFk(c.skeleton, dofs,
                                       OrientationGoal{o->joint, c.problems.orientations[at]}) <=
                                 c.options.angle_tolerance * (1.0 + 1e-6);
        }
        EXPECT_EQ(result.reports[i].status == IkStatus::Reached, all) << "problem " << i;
        met += all ? 1 : 0;
    }
    return met;
}

bool sameAnswers(const IkBatchResult& a, const IkBatchResult& b) {
    bool same = a.dofs == b.dofs && a.reports.size() == b.reports.size();
    for (std::size_t i = 0; same && i < a.reports.size(); ++i)
        same = a.reports[i].status == b.reports[i].status &&
               a.reports[i].iterations == b.reports[i].iterations &&
               a.reports[i].attempts == b.reports[i].attempts &&
               a.reports[i].error == b.reports[i].error;
    return same;
}

TEST(GpuKernels, SolveArmsInsideTheirLimits) {
    const Case c = robotArm(500);
    EXPECT_GE(judge(c, interpreted(c, 1)), 499);
}

TEST(GpuKernels, SolveWholeBodiesWithConesBallsAndAFreeRoot) {
    const Case c = person(60);
    EXPECT_GE(judge(c, interpreted(c, 1)), 59);
}

TEST(GpuKernels, GiveTheSameAnswersHoweverManyAttemptsAWaveMakes) {
    const Case c = robotArm(200);
    const IkBatchResult one = interpreted(c, 1);
    for (const int width : {3, 31}) EXPECT_TRUE(sameAnswers(one, interpreted(c, width))) << width;
}

TEST(GpuKernels, GiveAProblemTheSameAnswerInAnyOrder) {
    Case c = robotArm(100);
    const IkBatchResult before = interpreted(c, 2);
    Case turned = c;
    std::reverse(turned.problems.points.begin(), turned.problems.points.end());
    std::reverse(turned.problems.orientations.begin(), turned.problems.orientations.end());
    std::reverse(turned.goals.begin(), turned.goals.end());
    // Goals and problems are both reversed; goals in another order are another problem.
    turned.goals = c.goals;
    for (std::size_t i = 0; i < 100; ++i) {
        std::swap(turned.problems.points[2 * i], turned.problems.points[2 * i + 1]);
        std::swap(turned.problems.orientations[2 * i], turned.problems.orientations[2 * i + 1]);
    }
    const IkBatchResult after = interpreted(turned, 5);
    const std::size_t n = c.skeleton.dofCount();
    for (std::size_t i = 0; i < 100; ++i) {
        for (std::size_t d = 0; d < n; ++d)
            EXPECT_EQ(before.dofs[i * n + d], after.dofs[(99 - i) * n + d]) << i;
    }
}

TEST(GpuKernels, SolveWithOneStartWhatLanesSolve) {
    Case c = robotArm(500);
    c.options.restarts = 0;
    const Result<IkBatchResult> lanes = solveIkBatch(c.skeleton, c.goals, c.options, c.problems, 1);
    ASSERT_TRUE(lanes);
    // Lanes have one more attempt in double.
    EXPECT_GE(judge(c, interpreted(c, 1)), judge(c, *lanes) - 60);
}

TEST(GpuKernels, LeaveProblemsThatMakeNoSense) {
    Case c = robotArm(4);
    c.problems.points[2].y = std::numeric_limits<double>::quiet_NaN();
    c.problems.orientations[5] = Quat{0, 0, 0, 0};
    const IkBatchResult result = interpreted(c, 1);
    EXPECT_EQ(result.reports[0].status, IkStatus::Reached);
    EXPECT_EQ(result.reports[1].status, IkStatus::BadGoal);
    EXPECT_EQ(result.reports[2].status, IkStatus::BadGoal);
    EXPECT_EQ(result.reports[3].status, IkStatus::Reached);
}

TEST(GpuKernels, SwitchOffGoalsWithoutWeight) {
    Case c = robotArm(50);
    for (std::size_t i = 0; i < 50; ++i) {
        c.problems.weights.insert(c.problems.weights.end(), {1.0, 0.0});
        c.problems.orientations[2 * i + 1] = Quat{0, 0, 0, 0};  // not looked at
    }
    const IkBatchResult result = interpreted(c, 1);
    for (const IkBatchReport& report : result.reports) EXPECT_EQ(report.status, IkStatus::Reached);
}

TEST(GpuKernels, SayWhatIsOutOfReach) {
    Case c = robotArm(20);
    for (Vec3& p : c.problems.points) p.x += 4.0;
    c.options.restarts = 3;
    const IkBatchResult result = interpreted(c, 1);
    for (const IkBatchReport& report : result.reports) {
        EXPECT_NE(report.status, IkStatus::Reached);
        EXPECT_EQ(report.attempts, 4);
        EXPECT_GT(report.error, 1.0);
    }
    judge(c, result);
}

TEST(GpuKernels, AnswerTargetsSoFarThatFloatOverflows) {
    Case c = robotArm(3);
    for (Vec3& p : c.problems.points) p.x = 1e30;
    c.options.restarts = 2;
    const IkBatchResult result = interpreted(c, 1);
    for (const double x : result.dofs) EXPECT_TRUE(std::isfinite(x));
    judge(c, result);
}

TEST(GpuBatch, SolvesOnACardOrSaysThatThereIsNone) {
    const Case c = robotArm(200);
    Result<GpuBatch> batch = GpuBatch::make(c.skeleton, c.goals, c.options);
    if (!findGpus()) {
        ASSERT_FALSE(batch);
        EXPECT_NE(describe(batch.error()).find("solveIkBatch"), std::string::npos);
        return;
    }
    ASSERT_TRUE(batch) << describe(batch.error());
    const Result<IkBatchResult> result = batch->solve(c.problems);
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_GE(judge(c, *result), 199);
}

TEST(GpuBatch, RefusesWhatBatchesCannotDo) {
    const Case c = robotArm(1);
    std::vector<IkGoal> goals = c.goals;
    goals[1].level = 2;
    const Result<GpuBatch> batch = GpuBatch::make(c.skeleton, goals, c.options);
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().what, "a batch cannot solve goals of two levels");
}

}  // namespace
}  // namespace ulna
