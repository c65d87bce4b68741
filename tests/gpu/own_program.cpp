// SPDX-License-Identifier: Apache-2.0

// Problems solved by a program that was written for one skeleton, and by the tables that it was
// written from: the same bytes.
#include "own_program.h"

#include <algorithm>
#include <cstdio>

#include "gpu/own_problem.h"
#include "ulna/gpu/detail/host_tables.h"
#include "ulna/gpu/detail/interpreter.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

struct Answers {
    std::vector<double> states, errors;
    std::vector<float> best;
    std::vector<int> status, iterations, attempts;

    Answers(std::size_t count, std::size_t numbers)
        : states(count * numbers),
          errors(count),
          best(count),
          status(count),
          iterations(count),
          attempts(count) {}
    gpu::kernel::Answers view() {
        return {states.data(),     best.data(),     status.data(),
                iterations.data(), attempts.data(), errors.data()};
    }
};

int run() {
    constexpr std::size_t kCount = 200;
    const Skeleton skeleton = test::ownSkeleton();
    const std::vector<IkGoal> goals = test::ownGoals(skeleton);
    const DofVector middle = middleOfLimits(skeleton);
    const BatchProgram program = *makeBatchProgram(skeleton, goals, test::ownOptions(), middle);
    const gpu::detail::HostTables tables = gpu::detail::makeTables(skeleton, program);
    std::vector<double> start(tables.stateSize());
    gpu::detail::computeState(skeleton, program, middle, start);
    Random random(9);
    std::vector<Vec3> points;
    std::vector<Quat> turns;
    for (std::size_t i = 0; i < kCount; ++i) {
        DofVector dofs;
        for (const DofLimit& limit : skeleton.dofLimits())
            dofs.push_back(random.between(std::max(limit.min, -1.0), std::min(limit.max, 1.0)));
        clampToLimits(skeleton, dofs);
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
        for (const IkGoal& goal : goals) {
            const auto* position = std::get_if<PositionGoal>(&goal.kind);
            points.push_back(position != nullptr ? model[position->joint] * position->point
                                                 : Vec3{});
            turns.push_back(rotationOf(model[skeleton.find("Wrist")]));
        }
    }
    gpu::kernel::Problems all = {};
    all.count = kCount;
    all.points = &points[0].x;
    all.orientations = &turns[0].x;
    all.starts = start.data();
    all.goals = static_cast<int>(goals.size());
    all.restarts = test::ownOptions().restarts;
    all.most_steps = 100;
    for (std::size_t k = 0; k < 3; ++k) all.origin[k] = program.origin[k];
    all.damping_floor = 1e-9 * program.reach * program.reach;
    Answers own(kCount, tables.stateSize()), general(kCount, tables.stateSize());
    gpu::detail::interpret(Program(tables.view()), all, 2, own.view());
    gpu::detail::interpret(gpu::kernel::LargeTables(tables.view()), all, 5, general.view());
    int reached = 0;
    for (const int status : own.status) reached += status == gpu::kernel::kReached ? 1 : 0;
    std::printf("%d of %zu reached\n", reached, kCount);
    const bool same = own.states == general.states && own.status == general.status &&
                      own.iterations == general.iterations && own.errors == general.errors;
    if (!same) std::printf("the program and its tables differ\n");
    return same && reached > 195 ? 0 : 1;
}

}  // namespace
}  // namespace ulna

int main() {
    return ulna::run();
}
