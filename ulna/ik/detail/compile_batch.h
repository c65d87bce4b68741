// SPDX-License-Identifier: Apache-2.0

// From a problem to the plain arrays of a batch.
#pragma once

#include "ulna/ik/batch_program.h"
#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

/// Takes up the joints that do not move as they are in `start`, where that is finite.
void beginBatch(Problem& problem, std::span<const double> start);

/// The program of a problem that has begun; the error says what a batch cannot do.
[[nodiscard]] Result<BatchProgram> compileBatch(const Problem& problem);

}  // namespace ulna::ik::detail
