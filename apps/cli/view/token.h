// SPDX-License-Identifier: Apache-2.0

// The secret in the URL of `ulna view`. Every user of a machine can reach a port on 127.0.0.1, so
// what is served there is for those who know this text. It is in the path and not in a cookie,
// because browsers send cookies to every port of a host.
#pragma once

#include <string>
#include <string_view>

namespace ulna::cli {

/// 128 bits from the operating system, as 32 hexadecimal digits; empty where the system has none.
[[nodiscard]] std::string makeToken();

/// Whether two texts are equal, in a time that depends on their lengths alone: how long a wrong
/// guess takes does not tell how much of it is right.
[[nodiscard]] bool equalInConstantTime(std::string_view a, std::string_view b);

}  // namespace ulna::cli
