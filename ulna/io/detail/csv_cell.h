// SPDX-License-Identifier: Apache-2.0

// Text in a cell of a table. Spreadsheets compute what begins like a formula, whoever wrote it; an
// apostrophe before it makes it text again, for people and for our own reader.
#pragma once

#include <string>
#include <string_view>

namespace ulna::io::detail {

[[nodiscard]] inline bool beginsLikeFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
}

/// The cell for a text, quoted where it needs it (RFC 4180): a field with a comma, a quote or a
/// line break stands in quotes, quotes doubled.
[[nodiscard]] inline std::string csvCell(std::string_view text) {
    const std::string plain = (beginsLikeFormula(text) ? "'" : "") + std::string(text);
    if (plain.find_first_of(",\"\r\n") == std::string::npos) return plain;
    std::string out = "\"";
    for (const char c : plain) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

/// The text of a cell that is unquoted already.
[[nodiscard]] inline std::string_view textOfCsvCell(std::string_view cell) {
    const bool guarded = cell.starts_with('\'') && beginsLikeFormula(cell.substr(1));
    return guarded ? cell.substr(1) : cell;
}

}  // namespace ulna::io::detail
