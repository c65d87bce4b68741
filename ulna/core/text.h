// SPDX-License-Identifier: Apache-2.0

// Small helpers on text: comparison without case, and the names a misspelt one may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulna {

/// ASCII letters made lower case, everything else kept.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// True when the two differ at most in the case of ASCII letters.
[[nodiscard]] bool equalIgnoringCase(std::string_view a, std::string_view b);

/// The number of bytes of the UTF-8 character at `offset`, or 0 where there is no valid one.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t offset);

/// `text` itself when it is UTF-8 without control characters; otherwise its bytes read as Latin-1,
/// with control characters made underscores.
[[nodiscard]] std::string readableText(std::string_view text);

/// Up to three of `candidates` that are close enough to `name` to be what was meant, best first.
[[nodiscard]] std::vector<std::string> closestNames(std::string_view name,
                                                    std::span<const std::string> candidates);

/// `did you mean 'A', 'B' or 'C'?`, or empty when nothing is close.
[[nodiscard]] std::string suggestNames(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace ulna
