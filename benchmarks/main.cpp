// SPDX-License-Identifier: Apache-2.0

// The benchmark tables: bench [fk|bvh|ik|motion|skin], all without an argument.
#include <cstdio>
#include <string>

#include "benchmarks/harness.h"
#include "ulna/core/version.h"

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "all";
    const auto wanted = [&](const char* name) { return what == "all" || what == name; };
    if (!wanted("fk") && !wanted("bvh") && !wanted("ik") && !wanted("motion") && !wanted("skin")) {
        std::fprintf(stderr, "there is no benchmark '%s'; there are fk, bvh, ik, motion and skin\n",
                     what.c_str());
        return 2;
    }
    std::printf("ulna %s, one thread, best of alternating rounds\n", ulna::version());
    if (wanted("fk")) ulna::bench::benchKinematics();
    if (wanted("bvh")) ulna::bench::benchBvh();
    if (wanted("ik")) ulna::bench::benchIk();
    if (wanted("motion")) ulna::bench::benchMotion();
    if (wanted("skin")) {
        ulna::bench::benchSkin();
        ulna::bench::benchWeights();
    }
    return 0;
}
