// SPDX-License-Identifier: Apache-2.0

// What `ulna fit` says about its answer: text, JSON, a plot of errors and a coloured mesh.
#pragma once

#include <string>

#include "apps/cli/draw/picture.h"
#include "apps/cli/fit/solve.h"

namespace ulna::cli {

struct FitAnswer {
    const FitProblem& problem;
    const FitRun& run;
    std::string output;  ///< as it is named in JSON; empty for none
    Warnings warnings;   ///< all that were said
};

[[nodiscard]] std::string fitText(const FitAnswer& answer);
/// @param poses whether each frame has its pose.
[[nodiscard]] std::string fitJson(const FitAnswer& answer, bool poses);

inline constexpr const char* kReportFiles[] = {"fit.json", "error.svg", "worst.ply", "worst.png"};
/// Writes these into a folder.
void writeFitReport(const FitAnswer& answer, const std::string& folder);

}  // namespace ulna::cli
