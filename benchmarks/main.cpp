// SPDX-License-Identifier: Apache-2.0

// The benchmark tables: bench [fk|bvh], all without an argument.
#include <cstdio>
#include <string>

#include "benchmarks/harness.h"
#include "ulna/core/version.h"

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "all";
    if (what != "all" && what != "fk" && what != "bvh") {
        std::fprintf(stderr, "there is no benchmark '%s'; there are fk and bvh\n", what.c_str());
        return 2;
    }
    std::printf("ulna %s, one thread, best of alternating rounds\n", ulna::version());
    if (what != "bvh") ulna::bench::benchKinematics();
    if (what != "fk") ulna::bench::benchBvh();
    return 0;
}
