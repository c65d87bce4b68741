// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/report.h"

namespace ulna {

std::string_view ikStatusName(IkStatus status) {
    constexpr std::string_view kNames[] = {"reached",        "out_of_reach", "stalled",
                                           "max_iterations", "bad_goal",     "stopped"};
    return kNames[static_cast<std::size_t>(status)];
}

}  // namespace ulna
