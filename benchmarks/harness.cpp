// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/harness.h"

#include <ctime>

#include <algorithm>
#include <cstdio>

namespace ulna::bench {
namespace {

double timed(const std::function<void()>& work, long calls) {
    const double start = threadSeconds();
    for (long i = 0; i < calls; ++i) work();
    return threadSeconds() - start;
}

}  // namespace

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void compete(std::vector<Candidate>& candidates, int rounds, double round_seconds) {
    std::vector<long> calls;
    for (const Candidate& candidate : candidates) {
        candidate.work();  // warm up
        long count = 1;
        double seconds = timed(candidate.work, count);
        while (seconds < round_seconds / 10.0) {
            count *= 2;
            seconds = timed(candidate.work, count);
        }
        calls.push_back(
            std::max(1L, static_cast<long>(static_cast<double>(count) * round_seconds / seconds)));
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const double seconds = timed(candidates[i].work, calls[i]) /
                                   static_cast<double>(calls[i]) / candidates[i].items;
            if (round == 0 || seconds < candidates[i].best) candidates[i].best = seconds;
        }
    }
}

void printNanoseconds(const std::string& title, const std::string& item,
                      const std::vector<Candidate>& candidates) {
    std::printf("\n%s\n", title.c_str());
    for (const Candidate& c : candidates) {
        std::printf("  %-44s %9.2f ns per %-6s %6.2f x\n", c.name.c_str(), c.best * 1e9,
                    item.c_str(), c.best / candidates.front().best);
    }
}

}  // namespace ulna::bench
