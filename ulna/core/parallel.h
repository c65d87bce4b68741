// SPDX-License-Identifier: Apache-2.0

// parallelFor: the only function of the library that starts threads.
//
// Work is divided into chunks whose bounds do not depend on the number of threads, so a body that
// writes only to its own chunk gives the same result on every machine.
#pragma once

#include <cstddef>
#include <type_traits>

namespace ulna {

namespace parallel_internal {
using ChunkFunction = void (*)(void* body, std::size_t begin, std::size_t end);
void run(std::size_t count, std::size_t chunk, unsigned threads, void* body, ChunkFunction call);
}  // namespace parallel_internal

/// Calls `body(begin, end)` for consecutive chunks that together cover [0, count). Each chunk has
/// `chunk` elements, the last one perhaps fewer.
///
/// @param threads how many chunks may run at once; 0 means one per core.
/// @pre chunk > 0; body does not throw.
template <class Body>
void parallelFor(std::size_t count, std::size_t chunk, unsigned threads, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    auto* address = const_cast<void*>(static_cast<const void*>(&body));
    parallel_internal::run(count, chunk, threads, address,
                           [](void* self, std::size_t begin, std::size_t end) {
                               (*static_cast<Plain*>(self))(begin, end);
                           });
}

}  // namespace ulna
