// SPDX-License-Identifier: Apache-2.0

// Small helpers for text: comparison without case, and suggestions for misspelt names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulna {

/// The text with ASCII letters in lower case; everything else is kept.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// True when the two differ at most in the case of ASCII letters.
[[nodiscard]] bool equalIgnoringCase(std::string_view a, std::string_view b);

/// The number of bytes of the UTF-8 character at `offset`, or 0 where there is no valid one.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t offset);

/// The code point of the UTF-8 character of `length` bytes at `offset`.
/// @pre length is utf8Length(text, offset), and not 0.
[[nodiscard]] std::uint32_t codePointAt(std::string_view text, std::size_t offset,
                                        std::size_t length);

/// Whether a character acts on a terminal instead of being shown: control characters (of ASCII and
/// of Latin-1) and those that change the direction of the text.
[[nodiscard]] bool isControl(std::uint32_t code_point);

/// The text as a terminal may show it, whoever wrote it: each byte of a control character or of
/// invalid UTF-8 is written as `\x1b`. Line feeds and tabs stay if `lines` is true.
[[nodiscard]] std::string visibleText(std::string_view text, bool lines = false);

/// `text` itself if it is UTF-8 without control characters; otherwise its bytes interpreted as
/// Latin-1, with control characters replaced by underscores.
[[nodiscard]] std::string readableText(std::string_view text);

/// Up to three of `candidates` that are similar to `name`, the most similar first.
[[nodiscard]] std::vector<std::string> closestNames(std::string_view name,
                                                    std::span<const std::string> candidates);

/// `did you mean 'A', 'B' or 'C'?`, or empty if no candidate is similar.
[[nodiscard]] std::string suggestNames(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace ulna
