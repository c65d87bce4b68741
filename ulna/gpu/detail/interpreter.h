// SPDX-License-Identifier: Apache-2.0

// The waves of a batch on the processor, with the kernels' own source: what the GPU computes can be
// tested where there is none. For speed see ik/batch.h.
#pragma once

#include <algorithm>
#include <vector>

#include "ulna/gpu/detail/kernel/batch.h"

namespace ulna::gpu::detail {

/// @param width how many attempts a wave makes of each problem; the answers do not depend on it.
template <class P>
void interpret(const P& program, const kernel::Problems& all, int width,
               const kernel::Answers& answers) {
    const auto numbers = static_cast<std::size_t>(program.columns() + 4 * program.balls());
    std::vector<int> list(static_cast<std::size_t>(all.count));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<int>(i);
    for (int first = 0; first <= all.restarts && !list.empty(); first += width) {
        const int own = std::min(width, all.restarts + 1 - first);
        const std::size_t slots = list.size() * static_cast<std::size_t>(own);
        std::vector<float> states(slots * numbers);
        std::vector<kernel::Attempt> attempts(slots);
        const kernel::Wave wave = {.problems = static_cast<long long>(list.size()),
                                   .list = list.data(),
                                   .width = own,
                                   .first_attempt = first,
                                   .last = first + own > all.restarts,
                                   .states = states.data(),
                                   .attempts = attempts.data()};
        kernel::Worker<P> worker(program, all, wave);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (!worker.begin(static_cast<long long>(slot))) continue;
            while (worker.step()) continue;
        }
        std::vector<int> left;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!kernel::settle(program, all, wave, answers, static_cast<long long>(i)))
                left.push_back(list[i]);
        }
        list = std::move(left);
    }
}

}  // namespace ulna::gpu::detail
