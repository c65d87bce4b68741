// SPDX-License-Identifier: Apache-2.0

// How a batch is set up on a GPU. The defaults simply work.
#pragma once

#include <cstddef>
#include <vector>

namespace ulna {

/// A stream of a device, which does what is asked of it in order: a cudaStream_t or a CUstream.
/// Null is the device's default stream.
using GpuStream = void*;

struct GpuOptions {
    int device = 0;
    /// Where everything is asked for. What is called with arrays on the device returns before the
    /// work is done, unless its comment says otherwise.
    GpuStream stream = nullptr;
    /// Compile kernels for this skeleton where NVRTC is there; it takes a second or a few. Without,
    /// kernels for any skeleton are used, which are several times slower.
    bool compile = true;
    /// Up to so many coordinates every loop of these kernels is unrolled. More compile for a minute
    /// and run up to three times as fast: for a hundred coordinates and hundreds of millions of
    /// problems.
    std::size_t most_unrolled = 24;
    /// Where joints that do not move are, as degrees of freedom; empty: in the middle of their
    /// limits.
    std::vector<double> base = {};
};

}  // namespace ulna
