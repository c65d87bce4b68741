// SPDX-License-Identifier: Apache-2.0

// AlignedVector: a std::vector whose elements start on a cache line, for SIMD loads.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace ulna {

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    CacheLineAllocator() = default;
    template <class U>
    constexpr CacheLineAllocator(const CacheLineAllocator<U>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace ulna
