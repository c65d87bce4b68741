// SPDX-License-Identifier: Apache-2.0
#include "support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> g_count{0};
}  // namespace

// In a file of its own, where no caller's code meets both halves.
void* operator new(std::size_t size) {
    g_count.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    std::abort();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace ulna::test {

long allocationCount() {
    return g_count.load(std::memory_order_relaxed);
}

}  // namespace ulna::test
