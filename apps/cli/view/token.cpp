// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/token.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>

namespace ulna::cli {

std::string makeToken() {
    std::array<unsigned char, 16> bytes{};
    ssize_t count = -1;
    // Up to 256 bytes come whole or not at all; a signal may come before them.
    do count = ::getrandom(bytes.data(), bytes.size(), 0);
    while (count < 0 && errno == EINTR);
    if (count != static_cast<ssize_t>(bytes.size())) return {};
    std::string out;
    for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
    return out;
}

bool equalInConstantTime(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    // Volatile, so that no compiler leaves the loop at the first difference.
    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    return difference == 0;
}

}  // namespace ulna::cli
