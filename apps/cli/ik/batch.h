// SPDX-License-Identifier: Apache-2.0

// --batch of `ulna ik`: the same goals for many rows of targets.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/ik/solve.h"

namespace ulna::cli {

struct BatchOptions {
    std::string targets;  ///< a .npy file; empty: no batch
    bool gpu = false;
    int device = 0;
    std::string out;  ///< .npy or .csv
    unsigned threads = 0;
    bool json = false;
};

/// Fails with exit code 2 unless the path ends in a format that answers can be written in.
void checkBatchAnswerPath(const std::string& path);

/// Solves every row from the start's pose, writes the answers and prints what became of them. A row
/// has the targets of the goals `open`, in their order: 3 numbers or 4. Returns whether all rows
/// were reached. Fails with exit code 3 on a bad file, 2 on goals that cannot be done, and 1 where
/// there is no GPU.
[[nodiscard]] bool solveBatch(const IkProblem& problem, const Moment& start,
                              const std::vector<std::size_t>& open, const BatchOptions& options);

}  // namespace ulna::cli
