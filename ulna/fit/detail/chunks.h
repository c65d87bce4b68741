// SPDX-License-Identifier: Apache-2.0

// A sequence cut into chunks that may run at once, with progress told from the calling thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ulna/core/parallel.h"
#include "ulna/core/progress.h"

namespace ulna::fit::detail {

/// Calls `body(begin, end, told)` for the frames of every chunk; `told(frame)` is to be asked
/// before each frame and says whether to go on. Returns how many frames from the first on are done.
template <class Body>
std::size_t runChunks(std::size_t frames, std::size_t chunk, unsigned threads,
                      const Progress& progress, const Body& body) {
    if (chunk == 0 || chunk > frames) chunk = std::max<std::size_t>(frames, 1);
    const auto tell = [&](std::size_t frame) {
        return !progress || progress(static_cast<double>(frame) /
                                     static_cast<double>(std::max<std::size_t>(frames, 1)));
    };
    const std::size_t chunks = (frames + chunk - 1) / chunk;
    if (threads == 1) {
        std::size_t done = 0;
        bool going = true;
        for (std::size_t c = 0; c < chunks && going; ++c) {
            body(c * chunk, std::min(frames, (c + 1) * chunk), [&](std::size_t frame) {
                done = frame;
                return going = tell(frame);
            });
            if (going) done = std::min(frames, (c + 1) * chunk);
        }
        if (going) static_cast<void>(tell(frames));
        return done;
    }
    // Enough chunks for any machine's threads between two reports.
    constexpr std::size_t kChunksAtOnce = 16;
    for (std::size_t first = 0; first < chunks; first += kChunksAtOnce) {
        if (!tell(first * chunk)) return first * chunk;
        const std::size_t count = std::min(kChunksAtOnce, chunks - first);
        parallelFor(count, 1, threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = first + begin; c < first + end; ++c)
                body(c * chunk, std::min(frames, (c + 1) * chunk),
                     [](std::size_t) { return true; });
        });
    }
    static_cast<void>(tell(frames));
    return frames;
}

}  // namespace ulna::fit::detail
