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
    {"solve", "1024 times larger, the answer is 1024 times larger", 0.0073},
    {"solve", "from a pose: solved again, it stays: max_iterations", 0.71},
    {"solve", "from a pose: solved again, it stays: out_of_reach", 0.0049},
    {"solve", "from a pose: solved again, it stays: reached", 0.00048},
    {"solve", "from a pose: solved again, it stays: stalled", 0.063},
    {"solve", "solved again, it stays: max_iterations", 0.68},
    {"solve", "solved again, it stays: out_of_reach", 0.0013},
    {"solve", "solved again, it stays: reached", 0.00024},
    {"solve", "solved again, it stays: stalled", 0.13},
    {"levels", "level 2 does not cost level 1, from the same start", 0.00035},
    {"levels", "solved again, it stays: max_iterations", 1.0},
    {"levels", "solved again, it stays: out_of_reach", 0.018},
    {"levels", "solved again, it stays: reached", 0.0084},
    {"levels", "solved again, it stays: stalled", 0.62},
    {"levels", "what is met is called reached", 0.00046},
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
