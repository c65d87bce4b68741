// SPDX-License-Identifier: Apache-2.0

// stress FAMILY FIRST COUNT [FACTOR]: random problems against the promises of docs/promises.md.
//
// One seed is one problem, so FIRST and COUNT say which problems: `stress solve 41 1` repeats one.
// FACTOR multiplies every tolerance. Exits with 1 when a promise is broken.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

#include "stress/families.h"

namespace ulna::test::stress {
namespace {

struct Family {
    std::string_view name;
    void (*run)(std::uint64_t seed, Ledger& ledger);
};

constexpr Family kFamilies[] = {
    {"solve", stressSolve},
    {"coupled", stressCoupled},
    {"levels", stressLevels},
    {"batch", stressBatch},
    {"methods", stressMethods},
    {"fits", stressFits},
    {"derivatives", stressDerivatives},
    {"kinematics", stressKinematics},
};

std::optional<std::uint64_t> readCount(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

int printUsage() {
    std::fputs("stress FAMILY FIRST COUNT [FACTOR]\nFAMILY is one of", stderr);
    for (const Family& family : kFamilies)
        std::fprintf(stderr, " %.*s", static_cast<int>(family.name.size()), family.name.data());
    std::fputs("\n", stderr);
    return 2;
}

int run(std::span<char*> arguments) {
    if (arguments.size() < 3 || arguments.size() > 4) return printUsage();
    const std::optional<std::uint64_t> first = readCount(arguments[1]),
                                       count = readCount(arguments[2]);
    const double factor = arguments.size() == 4 ? std::atof(arguments[3]) : 1.0;
    for (const Family& family : kFamilies) {
        if (family.name != arguments[0] || !first || !count) continue;
        Ledger ledger(std::string(family.name), factor);
        for (std::uint64_t seed = *first; seed < *first + *count; ++seed) {
            ledger.begin(seed);
            family.run(seed, ledger);
        }
        const bool holds = ledger.print();
        std::printf("%s: %s\n", arguments[0],
                    holds ? "every promise holds" : "a promise is broken");
        return holds ? 0 : 1;
    }
    return printUsage();
}

}  // namespace
}  // namespace ulna::test::stress

int main(int argc, char** argv) {
    return ulna::test::stress::run({argv + 1, argv + argc});
}
