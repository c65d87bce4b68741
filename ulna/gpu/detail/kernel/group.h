// SPDX-License-Identifier: Apache-2.0

// Threads that work together, in phases: what one phase leaves in the memory they share, the next
// one reads.
//
// On a card these are the threads of a warp, and each waits for the others at the end of a phase.
// On the processor one thread does the part of each in turn, so that the same source runs there.
#pragma once

#include "ulna/gpu/detail/kernel/numbers.h"

namespace ulna::gpu::kernel {

constexpr int kTogether = 32;  // of a warp

#ifdef __CUDACC__
#define ULNA_GPU_UNROLL _Pragma("unroll")
#define ULNA_GPU_UNROLL_4 _Pragma("unroll 4")
#else
#define ULNA_GPU_UNROLL
#define ULNA_GPU_UNROLL_4
#endif

/// `Own` is what a thread keeps from phase to phase, `Tile` what all of them share.
template <class Tile, class Own>
class Group {
  public:
#ifdef __CUDACC__
    ULNA_GPU_FUNCTION Group(Tile& shared, int lane) : tile(shared), lane_(lane) {}
    template <class F>
    ULNA_GPU_FUNCTION void each(F f) {
        f(lane_, own_);
        __syncwarp();
    }
#else
    explicit Group(Tile& shared) : tile(shared) {}
    template <class F>
    void each(F f) {
        for (int lane = 0; lane < kTogether; ++lane) f(lane, own_[lane]);
    }
#endif
    Tile& tile;

  private:
#ifdef __CUDACC__
    Own own_ = {};
    int lane_;
#else
    Own own_[kTogether] = {};
#endif
};

// Values that no thread needs again stay out of the cache, where tables are.
ULNA_GPU_FUNCTION float readOnce(const float* from) {
#ifdef __CUDACC__
    return __ldcs(from);
#else
    return *from;
#endif
}
ULNA_GPU_FUNCTION void writeOnce(float value, float* to) {
#ifdef __CUDACC__
    __stcs(to, value);
#else
    *to = value;
#endif
}
ULNA_GPU_FUNCTION void writeOnce(const Four& value, Four* to) {
#ifdef __CUDACC__
    __stcs(reinterpret_cast<float4*>(to), float4{value.x, value.y, value.z, value.w});
#else
    *to = value;
#endif
}

/// What lies at these accesses of 16 bytes, as another type.
template <class T>
ULNA_GPU_FUNCTION T readAs(const Four* from) {
#ifdef __CUDACC__
    return *reinterpret_cast<const T*>(from);
#else
    T out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
#endif
}

/// A division by a number up to 64 of numbers up to 4096 as a product: exact there.
struct Divisor {
    unsigned by;
    unsigned factor;
    ULNA_GPU_FUNCTION int quotient(int x) const {
        return static_cast<int>((static_cast<unsigned>(x) * factor) >> 19);
    }
};
ULNA_GPU_FUNCTION Divisor divisorOf(int by) {
    const unsigned own = by > 0 ? static_cast<unsigned>(by) : 1u;
    return {own, (1u << 19) / own + 1u};
}

}  // namespace ulna::gpu::kernel
