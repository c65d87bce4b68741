// SPDX-License-Identifier: Apache-2.0

// Degrees of freedom as the states of a batch without balls, and back: a thread is a problem.
#pragma once

#include "ulna/gpu/detail/kernel/problem.h"

namespace ulna::gpu::kernel {

struct StateMap {
    long long count;
    int columns, dofs;
    const Column* column;
    const int* dof;      // of each column
    const double* base;  // degrees of freedom: where what does not move is
    const double* from;
    double* to;
    bool to_states;
};

ULNA_GPU_FUNCTION void mapState(const StateMap& all, long long problem) {
    if (all.to_states) {
        const double* from = all.from + problem * all.dofs;
        double* to = all.to + problem * all.columns;
        for (int c = 0; c < all.columns; ++c) {
            const double x = from[all.dof[c]];
            // Not a number stays what it is: the problem makes no sense.
            to[c] = x < all.column[c].min   ? all.column[c].min
                    : x > all.column[c].max ? all.column[c].max
                                            : x;
        }
        return;
    }
    const double* from = all.from + problem * all.columns;
    double* to = all.to + problem * all.dofs;
    for (int d = 0; d < all.dofs; ++d) to[d] = all.base[d];
    for (int c = 0; c < all.columns; ++c) to[all.dof[c]] = from[c];
}

}  // namespace ulna::gpu::kernel
