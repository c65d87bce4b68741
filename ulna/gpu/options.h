// SPDX-License-Identifier: Apache-2.0

// How a batch is set up on a GPU. The defaults simply work.
#pragma once

#include <cstddef>
#include <vector>

namespace ulna {

struct GpuOptions {
    int device = 0;
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
