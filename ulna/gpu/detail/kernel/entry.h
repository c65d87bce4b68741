// SPDX-License-Identifier: Apache-2.0

// The kernels of a batch: ULNA_GPU_KERNELS(SUFFIX, PROGRAM) defines them for one kind of program.
// Only device compilers see this.
#pragma once

#include "ulna/gpu/detail/kernel/batch.h"
#include "ulna/gpu/detail/kernel/tables.h"

namespace ulna::gpu::kernel {

// Beginning an attempt keeps the whole warp, so threads that have ended wait for so many others.
constexpr int kRefill = 8;

}  // namespace ulna::gpu::kernel

// Threads fetch the next attempt when theirs has ended, so that a warp waits for nobody long.
#define ULNA_GPU_KERNELS(SUFFIX, PROGRAM)                                                        \
    extern "C" __global__ void __launch_bounds__(128, 4)                                         \
        ulnaAttempts##SUFFIX(ulna::gpu::kernel::Tables tables, ulna::gpu::kernel::Problems all,  \
                             ulna::gpu::kernel::Wave wave, unsigned long long* next) {           \
        const PROGRAM program(tables);                                                           \
        ulna::gpu::kernel::Worker<PROGRAM> worker(program, all, wave);                           \
        const unsigned long long slots =                                                         \
            static_cast<unsigned long long>(wave.problems) * wave.width;                         \
        bool busy = false, more = true;                                                          \
        for (;;) {                                                                               \
            const unsigned idle = __ballot_sync(~0u, !busy && more);                             \
            const unsigned working = __ballot_sync(~0u, busy);                                   \
            if (idle == 0 && working == 0) return;                                               \
            if (!busy && more && (working == 0 || __popc(idle) >= ulna::gpu::kernel::kRefill)) { \
                const unsigned long long slot = atomicAdd(next, 1ull);                           \
                more = slot < slots;                                                             \
                if (more) busy = worker.begin(static_cast<long long>(slot));                     \
            }                                                                                    \
            if (busy) busy = worker.step();                                                      \
        }                                                                                        \
    }                                                                                            \
    extern "C" __global__ void __launch_bounds__(128)                                            \
        ulnaSettle##SUFFIX(ulna::gpu::kernel::Tables tables, ulna::gpu::kernel::Problems all,    \
                           ulna::gpu::kernel::Wave wave, ulna::gpu::kernel::Answers answers,     \
                           int* left, int* left_count) {                                         \
        const PROGRAM program(tables);                                                           \
        const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;   \
        if (place >= wave.problems) return;                                                      \
        if (ulna::gpu::kernel::settle(program, all, wave, answers, place)) return;               \
        left[atomicAdd(left_count, 1)] =                                                         \
            wave.list != nullptr ? wave.list[place] : static_cast<int>(place);                   \
    }
