// SPDX-License-Identifier: Apache-2.0

// What Python's figures are compared with: the same work on the same data by a program of C++.
//
//     bench_python FOLDER     seconds of fk, solve and batch, as "name seconds" lines
//     bench_python read FILE  opens a file, and says how long that took and how much memory
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/harness.h"
#include "ulna/character/open.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/solver.h"
#include "ulna/motion/rotation_rows.h"

namespace ulna::bench {
namespace {

std::vector<double> readDoubles(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<double> out(static_cast<std::size_t>(file.tellg()) / sizeof(double));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(out.data()),
              static_cast<std::streamsize>(out.size() * sizeof(double)));
    return out;
}

Skeleton readSkeleton(const std::string& path) {
    Result<Character> c = openCharacter(path);
    if (!c) {
        std::fprintf(stderr, "%s\n", describe(c.error()).c_str());
        std::exit(1);
    }
    return std::move(c->skeleton);
}

template <class Work>
void measure(const char* name, int rounds, const Work& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rounds; ++i) {
        const double start = threadSeconds();
        work();
        best = std::min(best, threadSeconds() - start);
    }
    std::printf("%s %.9g\n", name, best);
}

void measureFk(const std::string& folder) {
    const Skeleton body = readSkeleton(folder + "/body.rig.json");
    const std::vector<double> rotations = readDoubles(folder + "/rotations.f64");
    const RotationRows rows{.count = rotations.size() / (4 * body.jointCount()),
                            .rotations = rotations};
    std::vector<double> positions(rows.count * body.jointCount() * 3);
    measure("fk", 7, [&] {
        if (!computePositions(body, rows, std::span(positions), 1)) std::abort();
        keep(positions);
    });
}

void measureIk(const std::string& folder) {
    const Skeleton arm = readSkeleton(folder + "/arm.rig.json");
    const std::vector<double> targets = readDoubles(folder + "/targets.f64");
    const std::size_t count = targets.size() / 3;
    const std::vector<IkGoal> goals = {{PositionGoal{.joint = arm.find("hand")}}};
    Result<IkSolver> solver = IkSolver::make(arm, goals);
    DofVector dofs(arm.dofCount());
    // A target that the arm is at already: what is left is the call.
    std::get<PositionGoal>(solver->goals()[0].kind).target = {0.57, 0, 0};
    measure("call", 7, [&] {
        for (int i = 0; i < 100000; ++i) {
            std::fill(dofs.begin(), dofs.end(), 0.0);
            keep(solver->solve(dofs));
        }
    });
    IkBatchProblems problems{.count = count};
    for (std::size_t i = 0; i < count; ++i)
        problems.points.push_back({targets[3 * i], targets[3 * i + 1], targets[3 * i + 2]});
    measure("batch", 7, [&] { keep(solveIkBatch(arm, goals, {}, problems, 1)); });
}

// A line of the system's account of this process, in bytes.
double memory(const std::string& name) {
    std::ifstream file("/proc/self/status");
    std::string word;
    double kilobytes = 0.0;
    while (file >> word)
        if (word == name) file >> kilobytes;
    return 1024.0 * kilobytes;
}

int read(const char* path) {
    const double before = memory("VmRSS:");
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew
    const double start = threadSeconds();
    const Result<Character> c = openCharacter(path, {.threads = 1});
    if (!c) return 1;
    std::printf("read %.9g\nmemory %.9g\n", threadSeconds() - start, memory("VmHWM:") - before);
    return 0;
}

}  // namespace
}  // namespace ulna::bench

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "read") == 0) return ulna::bench::read(argv[2]);
    if (argc != 2) return 2;
    ulna::bench::measureFk(argv[1]);
    ulna::bench::measureIk(argv[1]);
    return 0;
}
