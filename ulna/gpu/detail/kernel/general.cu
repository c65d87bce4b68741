// SPDX-License-Identifier: Apache-2.0

// The kernels for any skeleton, compiled with the library where there is an nvcc.
#include "ulna/gpu/detail/kernel/entry.h"
#include "ulna/gpu/detail/kernel/moving.h"

ULNA_GPU_KERNELS(Small, ulna::gpu::kernel::SmallTables)
ULNA_GPU_KERNELS(Large, ulna::gpu::kernel::LargeTables)
