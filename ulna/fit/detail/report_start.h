// SPDX-License-Identifier: Apache-2.0

// How every fit begins its report, whichever fitter it is of. Keeps the report's memory.
#pragma once

#include "ulna/fit/report.h"

namespace ulna::fit::detail {

inline void begin(FitReport& report) {
    report.history.clear();
    report.iterations = 0;
    report.rms = report.gradient = report.worst_distance = 0.0;
    report.worst_vertex = 0;
    report.robust.reset();
}

/// The report of a target that is not finite.
inline void refuse(std::size_t bad_target, FitReport& report) {
    report.status = FitStatus::BadTarget;
    report.worst_vertex = bad_target;
    report.rank = report.freedoms = 0;
    report.undetermined.clear();
}

}  // namespace ulna::fit::detail
