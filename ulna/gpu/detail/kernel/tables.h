// SPDX-License-Identifier: Apache-2.0

// A mechanism whose numbers are in memory, for kernel/solve.h: any that has no more of anything
// than there is room for.
#pragma once

#include "ulna/gpu/detail/kernel/solve.h"

namespace ulna::gpu::kernel {

/// Where the numbers are, and how many.
struct Tables {
    int links, columns, balls, rows, slots;
    const Link* link;
    const Column* column;
    const Row* row;
    const unsigned char* above;   // rows x columns
    const unsigned char* slides;  // per column
};

template <int Columns, int Balls, int Rows, int Slots>
struct TableProgram {
    static constexpr int kColumns = Columns, kBalls = Balls, kRows = Rows, kSlots = Slots;
    Tables t;

    ULNA_GPU_FUNCTION explicit TableProgram(const Tables& tables) : t(tables) {}
    ULNA_GPU_FUNCTION int columns() const { return t.columns; }
    ULNA_GPU_FUNCTION int balls() const { return t.balls; }
    ULNA_GPU_FUNCTION int rows() const { return t.rows; }
    ULNA_GPU_FUNCTION const Link& link(int i) const { return t.link[i]; }
    ULNA_GPU_FUNCTION const Column& column(int c) const { return t.column[c]; }
    ULNA_GPU_FUNCTION const Row& row(int r) const { return t.row[r]; }
    ULNA_GPU_FUNCTION bool above(int r, int c) const { return t.above[r * t.columns + c] != 0; }
    ULNA_GPU_FUNCTION bool slides(int c) const { return t.slides[c] != 0; }
    template <class F>
    ULNA_GPU_FUNCTION void eachLink(F f) const {
        for (int i = 0; i < t.links; ++i) f(i);
    }
    template <class F>
    ULNA_GPU_FUNCTION void eachColumn(F f) const {
        for (int c = 0; c < t.columns; ++c) f(c);
    }
    template <class F>
    ULNA_GPU_FUNCTION void eachRow(F f) const {
        for (int r = 0; r < t.rows; ++r) f(r);
    }
    template <int Most, class F>
    ULNA_GPU_FUNCTION static void eachResidual(int count, F f) {
        for (int i = 0; i < count; ++i) f(i);
    }
};

/// What one kernel serves where there is no compiler at run time.
using SmallTables = TableProgram<16, 4, 4, 8>;
using LargeTables = TableProgram<128, 48, 12, 32>;

}  // namespace ulna::gpu::kernel
