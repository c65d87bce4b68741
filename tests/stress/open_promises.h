// SPDX-License-Identifier: Apache-2.0

// Promises that some problems still break. docs/promises.md lists them as open.
#pragma once

#include <string_view>

namespace ulna::test::stress {

/// The share of looks at a promise that may break it: 0 unless the table in the source has it.
[[nodiscard]] double allowedShare(std::string_view family, std::string_view promise);

}  // namespace ulna::test::stress
