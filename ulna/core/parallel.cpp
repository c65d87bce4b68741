// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/parallel.h"

#include <algorithm>

#include "ulna/core/assert.h"

// ULNA_THREADS chooses what runs the chunks: 0 nothing (WebAssembly), 1 plain std::thread (the
// thread sanitizer reports false races inside Debian's oneTBB), 2 oneTBB.
#if ULNA_THREADS == 2
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#elif ULNA_THREADS == 1
#include <atomic>
#include <thread>
#include <vector>
#endif

namespace ulna::parallel_internal {

void run(std::size_t count, std::size_t chunk, unsigned threads, void* body, ChunkFunction call) {
    ULNA_ASSERT(chunk > 0, "parallelFor needs chunks of at least one item");
    const std::size_t chunks = (count + chunk - 1) / chunk;
    const auto runChunk = [&](std::size_t index) {
        const std::size_t begin = index * chunk;
        call(body, begin, std::min(begin + chunk, count));
    };
    if (chunks <= 1 || threads == 1 || ULNA_THREADS == 0) {
        for (std::size_t i = 0; i < chunks; ++i) runChunk(i);
        return;
    }
#if ULNA_THREADS == 2
    const auto all = [&] { tbb::parallel_for(std::size_t{0}, chunks, runChunk); };
    // Its workers stay with the arena that is always there; another one takes longer to man than
    // small work takes. oneTBB complains on stderr when asked for more threads than it has.
    const auto most = static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
    if (threads == 0 || threads >= most)
        all();
    else
        tbb::task_arena(static_cast<int>(threads)).execute(all);
#elif ULNA_THREADS == 1
    const unsigned wanted =
        threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < chunks; i = next++) runChunk(i);
    };
    std::vector<std::thread> pool;
    for (std::size_t i = 1; i < std::min<std::size_t>(wanted, chunks); ++i) pool.emplace_back(work);
    work();
    for (std::thread& thread : pool) thread.join();
#endif
}

}  // namespace ulna::parallel_internal
