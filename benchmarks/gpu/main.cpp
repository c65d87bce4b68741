// SPDX-License-Identifier: Apache-2.0

// Batches on a GPU beside the processor's: gpu_bench [MILLIONS [unroll]]; kinematics and skinning:
// gpu_bench moving CHARACTER.glb [MILLIONS]
//
// Problems are on the device before the clock starts, and answers stay there: transfers have a row
// of their own. The clock is the host's, from the call to the moment when all answers are there.
// Every answer is judged by forward kinematics in double on the processor, and by the limits.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "benchmarks/gpu/moving.h"
#include "benchmarks/models.h"
#include "ulna/core/parallel.h"
#include "ulna/gpu/batch.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna::bench {
namespace {

constexpr double kTolerance = 1e-5;

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
T must(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "%s\n", describe(result.error()).c_str());
    std::exit(1);
}

struct Task {
    const char* name;
    Skeleton skeleton;
    std::vector<IkGoal> goals;
};

// Targets of random poses within the limits.
IkBatchProblems randomProblems(const Task& task, std::size_t count) {
    IkBatchProblems out;
    out.count = count;
    const std::size_t goals = task.goals.size();
    out.points.resize(count * goals);
    bool turns = false;
    for (const IkGoal& goal : task.goals)
        turns = turns || std::holds_alternative<OrientationGoal>(goal.kind);
    if (turns) out.orientations.resize(count * goals);
    constexpr std::size_t kChunk = 4096;
    parallelFor(count, kChunk, 0, [&](std::size_t begin, std::size_t end) {
        Random random(1000 + begin / kChunk);
        DofVector dofs(task.skeleton.dofCount());
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t d = 0; d < dofs.size(); ++d) {
                const DofLimit& limit = task.skeleton.dofLimits()[d];
                dofs[d] = random.between(limit.min, limit.max);
            }
            const ModelPose model =
                computeModelPose(task.skeleton, computePose(task.skeleton, dofs));
            for (std::size_t g = 0; g < goals; ++g) {
                if (const auto* p = std::get_if<PositionGoal>(&task.goals[g].kind))
                    out.points[i * goals + g] = model[p->joint] * p->point;
                else if (const auto* o = std::get_if<OrientationGoal>(&task.goals[g].kind))
                    out.orientations[i * goals + g] = rotationOf(model[o->joint]);
            }
        }
    });
    return out;
}

bool isRight(const Task& task, const IkBatchProblems& problems, std::size_t i,
             std::span<const double> dofs) {
    if (limitExcess(task.skeleton, dofs) > 1e-9) return false;
    const ModelPose model = computeModelPose(task.skeleton, computePose(task.skeleton, dofs));
    const std::size_t goals = task.goals.size();
    for (std::size_t g = 0; g < goals; ++g) {
        Vec3 off;
        if (const auto* p = std::get_if<PositionGoal>(&task.goals[g].kind))
            off = model[p->joint] * p->point - problems.points[i * goals + g];
        else if (const auto* o = std::get_if<OrientationGoal>(&task.goals[g].kind))
            off = quatLog(conjugate(problems.orientations[i * goals + g]) *
                          rotationOf(model[o->joint]));
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(std::abs(off[k]) <= kTolerance)) return false;
        }
    }
    return true;
}

double shareRight(const Task& task, const IkBatchProblems& problems,
                  const std::function<void(std::size_t, std::span<double>)>& dofsOf) {
    std::atomic<std::size_t> right = 0;
    parallelFor(problems.count, 4096, 0, [&](std::size_t begin, std::size_t end) {
        DofVector dofs(task.skeleton.dofCount());
        std::size_t own = 0;
        for (std::size_t i = begin; i < end; ++i) {
            dofsOf(i, dofs);
            own += isRight(task, problems, i, dofs) ? 1 : 0;
        }
        right += own;
    });
    return 100.0 * static_cast<double>(right) / static_cast<double>(problems.count);
}

void print(const char* how, std::size_t count, double seconds, double share) {
    std::printf("  %-30s %9zu %12.3f %12.3f %10.4f %%\n", how, count, seconds * 1e3,
                static_cast<double>(count) / seconds * 1e-6, share);
    std::fflush(stdout);
}

void benchOnGpu(const Task& task, const IkBatchProblems& problems, GpuBatch& batch,
                const char* how) {
    const std::size_t count = problems.count;
    const auto flat = [](const auto& v) {
        return std::span<const double>(v.empty() ? nullptr : &v[0].x,
                                       v.size() * sizeof(v[0]) / sizeof(double));
    };
    GpuArray points, turns, states;
    const double in = secondsOf([&] {
        points = must(GpuArray::make(0, flat(problems.points)));
        turns = must(GpuArray::make(0, flat(problems.orientations)));
        states = must(GpuArray::make(0, count * batch.stateSize()));
    });
    double best = 1e30;
    const int rounds = count >= 10'000'000 ? 3 : 7;
    std::vector<double> answers(states.size()), again(states.size());
    for (int round = 0; round < rounds; ++round) {
        best = std::min(
            best, secondsOf([&] {
                must(batch.solve({.count = count,
                                  .points = points.data(),
                                  .orientations = turns.size() > 0 ? turns.data() : nullptr},
                                 {.states = states.data()}));
            }));
        must(states.read(round == 0 ? answers : again));
        if (round > 0 && answers != again) std::printf("  !! two runs differ\n");
    }
    const double out = secondsOf([&] { must(states.read(answers)); });
    const double share = shareRight(task, problems, [&](std::size_t i, std::span<double> dofs) {
        batch.computeDofs(
            std::span<const double>(answers).subspan(i * batch.stateSize(), batch.stateSize()),
            dofs);
    });
    print(how, count, best, share);
    if (count >= 1'000'000)
        std::printf("  %-30s %9zu %12.3f   to the card, %.3f ms back\n", "  transfers", count,
                    in * 1e3, out * 1e3);
}

// Whether the last problem first gives the same bytes.
void checkOrder(const Task& task, const IkBatchProblems& problems, GpuBatch& batch) {
    IkBatchProblems turned = problems;
    const std::size_t goals = task.goals.size();
    for (std::size_t i = 0; i < problems.count; ++i) {
        for (std::size_t g = 0; g < goals; ++g) {
            const std::size_t from = (problems.count - 1 - i) * goals + g;
            turned.points[i * goals + g] = problems.points[from];
            if (!problems.orientations.empty())
                turned.orientations[i * goals + g] = problems.orientations[from];
        }
    }
    const IkBatchResult one = must(batch.solve(problems)), other = must(batch.solve(turned));
    const std::size_t n = task.skeleton.dofCount();
    bool same = true;
    for (std::size_t i = 0; i < problems.count; ++i)
        same = same && std::equal(one.dofs.begin() + static_cast<std::ptrdiff_t>(i * n),
                                  one.dofs.begin() + static_cast<std::ptrdiff_t>(i * n + n),
                                  other.dofs.begin() +
                                      static_cast<std::ptrdiff_t>((problems.count - 1 - i) * n));
    std::printf("  the other way round: %s\n", same ? "the same bytes" : "!! other bytes");
}

void benchTask(const Task& task, const std::vector<std::size_t>& counts, int restarts,
               std::size_t on_processor, std::size_t most_unrolled) {
    std::printf("\n%s, to 1e-5 within limits, from the middle of them, at most %d restarts\n",
                task.name, restarts);
    std::printf("  %-30s %9s %12s %12s %12s\n", "", "problems", "ms", "million/s", "right");
    const IkOptions options{.position_tolerance = kTolerance * 0.999,
                            .angle_tolerance = kTolerance * 0.999,
                            .restarts = restarts};
    GpuBatch own =
        must(GpuBatch::make(task.skeleton, task.goals, options, {.most_unrolled = most_unrolled}));
    if (!own.isCompiled()) std::printf("  (%s)\n", own.compilerMessage().c_str());
    const IkBatchProblems all = randomProblems(task, counts.back());
    const auto firstOf = [&](std::size_t count) {
        IkBatchProblems part;
        part.count = count;
        const auto n = static_cast<std::ptrdiff_t>(count * task.goals.size());
        part.points.assign(all.points.begin(), all.points.begin() + n);
        if (!all.orientations.empty())
            part.orientations.assign(all.orientations.begin(), all.orientations.begin() + n);
        return part;
    };
    for (const std::size_t count : counts) benchOnGpu(task, firstOf(count), own, "GPU");
    checkOrder(task, firstOf(counts.front()), own);
    Result<GpuBatch> general =
        GpuBatch::make(task.skeleton, task.goals, options, {.compile = false});
    if (general)
        benchOnGpu(task, firstOf(std::min(all.count, counts.front() * 10)), *general,
                   "GPU, general kernels");
    const IkBatchProblems part = firstOf(on_processor);
    IkBatchResult result;
    const double seconds =
        secondsOf([&] { result = must(solveIkBatch(task.skeleton, task.goals, options, part)); });
    print("processor, all cores", part.count, seconds,
          shareRight(task, part, [&](std::size_t i, std::span<double> dofs) {
              const std::size_t n = dofs.size();
              std::copy_n(result.dofs.begin() + static_cast<std::ptrdiff_t>(i * n), n,
                          dofs.begin());
          }));
}

Task arm() {
    Task out{"arm of 7 joints, pose", arm7(), {}};
    out.goals = {{.kind = PositionGoal{jointId(6), {0, 0, kArmFlange}, {}}},
                 {.kind = OrientationGoal{jointId(6), {}}}};
    return out;
}

Task body() {
    Task out{"body of 69 degrees of freedom, 5 positions", humanoid69(), {}};
    for (const char* end : kHumanoid69Ends)
        out.goals.push_back({.kind = PositionGoal{out.skeleton.find(end), {}, {}}});
    return out;
}

}  // namespace
}  // namespace ulna::bench

int main(int argc, char** argv) {
    using namespace ulna;
    const Result<std::vector<GpuInfo>> gpus = findGpus();
    if (!gpus) {
        std::printf("%s\n", describe(gpus.error()).c_str());
        return 0;
    }
    for (const GpuInfo& gpu : *gpus)
        std::printf("GPU %d: %s, %zu MiB, compute capability %d.%d, %d multiprocessors%s\n",
                    gpu.index, gpu.name.c_str(), gpu.memory >> 20, gpu.compute_major,
                    gpu.compute_minor, gpu.multiprocessors, gpu.compiles ? ", NVRTC" : "");
    if (argc > 2 && std::string(argv[1]) == "moving") {
        bench::benchMoving(argc > 3 ? std::atof(argv[3]) : 0.4, argv[2]);
        return 0;
    }
    const double millions = argc > 1 ? std::atof(argv[1]) : 10.0;
    const auto most = static_cast<std::size_t>(millions * 1e6);
    std::vector<std::size_t> counts;
    for (std::size_t count = 10'000; count <= 10'000'000; count *= 10)
        if (count <= most) counts.push_back(count);
    if (counts.empty()) counts.push_back(most);
    bench::benchTask(bench::arm(), counts, 100, std::min<std::size_t>(most, 200'000), 24);
    if (counts.back() > 1'000'000) counts.pop_back();
    bench::benchTask(bench::body(), counts, 20, std::min<std::size_t>(most, 20'000),
                     argc > 2 ? 128 : 24);
    return 0;
}
