// SPDX-License-Identifier: Apache-2.0

// The benchmark tables: bench [fk|bvh|ik|motion|skin|fit|retarget], all without an argument.
#include <cstdio>
#include <string>

#include "benchmarks/harness.h"
#include "ulna/core/version.h"

int main(int argc, char** argv) {
    using namespace ulna::bench;
    struct Table {
        const char* name;
        void (*print)();
    };
    constexpr Table kTables[] = {{"fk", benchKinematics}, {"bvh", benchBvh},
                                 {"ik", benchIk},         {"motion", benchMotion},
                                 {"skin", benchSkin},     {"skin", benchWeights},
                                 {"fit", benchFit},       {"retarget", benchRetarget}};
    const std::string what = argc > 1 ? argv[1] : "all";
    bool found = what == "all";
    for (const Table& table : kTables) found = found || what == table.name;
    if (!found) {
        std::fprintf(
            stderr,
            "there is no benchmark '%s'; there are fk, bvh, ik, motion, skin, fit and retarget\n",
            what.c_str());
        return 2;
    }
    std::printf("ulna %s, one thread, best of alternating rounds\n", ulna::version());
    for (const Table& table : kTables)
        if (what == "all" || what == table.name) table.print();
    return 0;
}
