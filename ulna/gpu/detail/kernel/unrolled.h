// SPDX-License-Identifier: Apache-2.0

// What a mechanism whose numbers are constants is made of (see gpu/detail/source.h): loops over
// constants, so that what depends on an index is decided when the kernel is compiled.
#pragma once

#include "ulna/gpu/detail/kernel/solve.h"

namespace ulna::gpu::kernel {

template <int... I>
struct Ints {};
template <int N, int... I>
struct CountInts {
    using type = typename CountInts<N - 1, N - 1, I...>::type;
};
template <int... I>
struct CountInts<0, I...> {
    using type = Ints<I...>;
};

template <int... I, class F>
ULNA_GPU_FUNCTION void forEachInt(Ints<I...>, F& f) {
    (f(Int<I>{}), ...);
}
template <int N, class F>
ULNA_GPU_FUNCTION void unrolled(F f) {
    forEachInt(typename CountInts<N>::type{}, f);
}

/// The loops of a program with as many links, columns, balls, rows and kept frames.
template <int Links, int Columns, int Balls, int Rows, int Slots>
struct UnrolledLoops {
    static constexpr int kColumns = Columns, kBalls = Balls, kRows = Rows, kSlots = Slots;
    ULNA_GPU_FUNCTION static constexpr int columns() { return Columns; }
    ULNA_GPU_FUNCTION static constexpr int balls() { return Balls; }
    ULNA_GPU_FUNCTION static constexpr int rows() { return Rows; }
    template <class F>
    ULNA_GPU_FUNCTION static void eachLink(F f) {
        unrolled<Links>(f);
    }
    template <class F>
    ULNA_GPU_FUNCTION static void eachColumn(F f) {
        unrolled<Columns>(f);
    }
    template <class F>
    ULNA_GPU_FUNCTION static void eachRow(F f) {
        unrolled<Rows>(f);
    }
    // All rows are in use, so the most there may be is how many there are.
    template <int Most, class F>
    ULNA_GPU_FUNCTION static void eachResidual(int, F f) {
        unrolled<Most>(f);
    }
    template <int Most, int N, class F>
    ULNA_GPU_FUNCTION static void eachResidual(Int<N>, F f) {
        unrolled<N>(f);
    }
};

}  // namespace ulna::gpu::kernel
