// SPDX-License-Identifier: Apache-2.0

// What went wrong with something that came from outside: what, where, the offending text, and what
// to do about it. Errors (core/result.h) and warnings are both diagnostics.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ulna {

/// A location in an input. Text formats fill in line and column, JSON formats the path; both fill
/// in the file.
struct Location {
    std::string file = {};       ///< as the caller named it; empty when the bytes had no name
    std::size_t line = 0;        ///< counted from 1; 0 when unknown
    std::size_t column = 0;      ///< in bytes, counted from 1; 0 when unknown
    std::string json_path = {};  ///< such as `joints[3].limits.x`; empty outside JSON
};

/// One error or warning about an input. Make it by name, so that each text says what it is:
/// `Diagnostic{.what = "...", .location = {.file = path}, .advice = "..."}`.
struct Diagnostic {
    std::string what = {};    ///< a sentence without its full stop
    Location location = {};   ///< where; default-constructed when it is unknown
    std::string text = {};    ///< the offending text as the input has it; may be empty
    std::string advice = {};  ///< what to do, such as the option that changes it; may be empty
};

using Warnings = std::vector<Diagnostic>;

/// Collects warnings so that a file with the same mistake a thousand times gives one message: the
/// first warning of each kind is kept, and the others are counted. For one thread at a time.
class WarningCollector {
  public:
    /// Counts a warning. True when it is the first of its kind: the caller then makes the
    /// diagnostic and passes it to `keep`.
    [[nodiscard]] bool isFirst(std::string_view kind);
    /// Records the first of a kind. @pre isFirst(kind) was just true.
    void keep(Diagnostic diagnostic) { entries_.back().diagnostic = std::move(diagnostic); }
    /// The warnings in the order in which they were kept; `what` says how many more there are.
    [[nodiscard]] Warnings take();

  private:
    struct Entry {
        std::string kind;
        Diagnostic diagnostic;
        std::size_t more = 0;
    };
    std::vector<Entry> entries_;  // few: there are few kinds
};

/// `file:line:column`, `file: joints[3].limits`, or as much of it as is known.
[[nodiscard]] std::string describe(const Location& location);

/// The whole diagnostic on one line: `location: what: 'text' (advice)`.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic);

/// Finds the lines of a text. Lines end with LF, CRLF or a lone CR. Asked for growing offsets, it
/// reads the text once. For one thread at a time.
class LineCounter {
  public:
    /// Line and column of byte `offset`. @pre `text` is the same text in every call.
    [[nodiscard]] Location locate(std::string_view text, std::size_t offset, std::string_view file);

  private:
    std::size_t counted_to_ = 0;
    std::size_t line_ = 1;
    std::size_t line_start_ = 0;
};

/// The same for one offset.
[[nodiscard]] Location locationAt(std::string_view text, std::size_t offset, std::string_view file);

/// `text` cut to at most 60 bytes, with control characters made visible, for use in a diagnostic.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace ulna
