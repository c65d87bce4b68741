// SPDX-License-Identifier: Apache-2.0
#include "stress/open_promises.h"

namespace ulna::test::stress {
namespace {

struct OpenPromise {
    std::string_view family, promise;
    double share;
};

// Each share is the smallest that the seeds of `./test deep` need, rounded up. A repair lowers its
// share or deletes its line; nothing is added here to make a run pass.
constexpr OpenPromise kOpen[] = {
    {"solve", "from a pose: solved again, it stays: max_iterations", 1.0},
    {"solve", "from a pose: solved again, it stays: out_of_reach", 0.00019},
    {"solve", "solved again, it stays: max_iterations", 1.0},
    {"solve", "solved again, it stays: out_of_reach", 0.00019},
    {"solve", "solved again, it stays: reached", 0.00048},
    {"solve", "solved again, it stays: stalled", 0.023},
    {"coupled", "from a pose: solved again, it stays: out_of_reach", 0.00067},
    {"coupled", "from a pose: solved again, it stays: stalled", 0.035},
    {"coupled", "solved again, it stays: max_iterations", 0.5},
    {"coupled", "solved again, it stays: out_of_reach", 0.00033},
    {"levels", "level 2 does not cost level 1, from the same start", 0.00069},
    {"levels", "solved again, it stays: max_iterations", 0.77},
    {"levels", "solved again, it stays: out_of_reach", 0.0082},
    {"levels", "solved again, it stays: stalled", 0.32},
    {"kinematics", "allowedRotation is inside the limits", 0.0001},
};

}  // namespace

double allowedShare(std::string_view family, std::string_view promise) {
    for (const OpenPromise& open : kOpen) {
        if (open.family == family && open.promise == promise) return open.share;
    }
    return 0.0;
}

}  // namespace ulna::test::stress
