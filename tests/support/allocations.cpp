// SPDX-License-Identifier: Apache-2.0
#include "support/allocations.h"

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ULNA_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ULNA_SANITIZED 1
#endif
#endif

namespace {
std::atomic<long> g_count{0};
}  // namespace

#ifndef ULNA_SANITIZED  // they have their own malloc
extern "C" {
void* __libc_malloc(std::size_t size);

// Takes the place of the C library's, so that nothing that allocates goes unseen: not new, not the
// libraries behind it.
void* malloc(std::size_t size) {
    g_count.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}
}
#endif

namespace ulna::test {

long allocationCount() {
    return g_count.load(std::memory_order_relaxed);
}

}  // namespace ulna::test
