// SPDX-License-Identifier: Apache-2.0

// A batch program in the form that kernels read.
#pragma once

#include <vector>

#include "ulna/gpu/detail/kernel/tables.h"
#include "ulna/ik/batch_program.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::gpu::detail {

struct HostTables {
    std::vector<kernel::Link> links;
    std::vector<kernel::Column> columns;
    std::vector<kernel::Row> rows;
    std::vector<unsigned char> above, slides;
    int balls = 0;
    int slots = 0;  // for frames that are kept

    [[nodiscard]] kernel::Tables view() const;
    /// How many numbers a state has: the coordinates, and four for each ball.
    [[nodiscard]] std::size_t stateSize() const {
        return columns.size() + 4 * static_cast<std::size_t>(balls);
    }
};

[[nodiscard]] HostTables makeTables(const Skeleton& skeleton, const BatchProgram& program);

/// States from degrees of freedom, and back; `dofs` keeps what the program does not move.
void computeState(const Skeleton& skeleton, const BatchProgram& program,
                  std::span<const double> dofs, std::span<double> state);
void computeDofs(const Skeleton& skeleton, const BatchProgram& program,
                 std::span<const double> state, std::span<double> dofs);

}  // namespace ulna::gpu::detail
