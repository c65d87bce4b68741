// SPDX-License-Identifier: Apache-2.0

// The benchmark tables: bench [fk|bvh|ik|motion|fit], all without an argument.
#include <cstdio>
#include <string>

#include "benchmarks/harness.h"
#include "ulna/core/version.h"

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "all";
    const auto wanted = [&](const char* name) { return what == "all" || what == name; };
    if (!wanted("fk") && !wanted("bvh") && !wanted("ik") && !wanted("motion") && !wanted("fit")) {
        std::fprintf(stderr, "there is no benchmark '%s'; there are fk, bvh, ik, motion and fit\n",
                     what.c_str());
        return 2;
    }
    std::printf("ulna %s, one thread, best of alternating rounds\n", ulna::version());
    if (wanted("fk")) ulna::bench::benchKinematics();
    if (wanted("bvh")) ulna::bench::benchBvh();
    if (wanted("ik")) ulna::bench::benchIk();
    if (wanted("motion")) ulna::bench::benchMotion();
    if (wanted("fit")) ulna::bench::benchFit();
    return 0;
}
