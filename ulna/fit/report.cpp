// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/report.h"

namespace ulna {

std::string_view fitStatusName(FitStatus status) {
    switch (status) {
        case FitStatus::Converged:
            return "converged";
        case FitStatus::Stalled:
            return "stalled";
        case FitStatus::MaxIterations:
            return "max_iterations";
        case FitStatus::BadTarget:
            return "bad_target";
        case FitStatus::Stopped:
            return "stopped";
    }
    return "";
}

}  // namespace ulna
