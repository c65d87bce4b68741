// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/options.h"

namespace ulna {

std::string_view fitMethodName(FitMethod method) {
    return method == FitMethod::Alternating ? "alternating" : "joint-newton";
}

std::string_view fitLossName(FitLoss loss) {
    switch (loss) {
        case FitLoss::Squares:
            return "squares";
        case FitLoss::Huber:
            return "huber";
        case FitLoss::GemanMcClure:
            return "geman-mcclure";
    }
    return "";
}

}  // namespace ulna
