// SPDX-License-Identifier: Apache-2.0

// Small helpers on text: comparison without case, and the names a misspelt one may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulna {

/// ASCII letters made lower case, everything else kept.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// True when the two differ at most in the case of ASCII letters.
[[nodiscard]] bool equalIgnoringCase(std::string_view a, std::string_view b);

/// Up to three of `candidates` that are close enough to `name` to be what was meant, best first.
[[nodiscard]] std::vector<std::string> closestNames(std::string_view name,
                                                    std::span<const std::string> candidates);

/// `did you mean 'A', 'B' or 'C'?`, or empty when nothing is close.
[[nodiscard]] std::string suggestNames(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace ulna
