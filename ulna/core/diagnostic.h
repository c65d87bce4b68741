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

/// A place in an input. Text formats fill line and column, JSON formats the path, and both the
/// file.
struct Place {
    std::string file;        ///< as the caller named it; empty when the bytes had no name
    std::size_t line = 0;    ///< counted from 1; 0 when unknown
    std::size_t column = 0;  ///< in bytes, counted from 1; 0 when unknown
    std::string json_path;   ///< such as `joints[3].limits.x`; empty outside JSON
};

/// One error or warning about an input.
struct Diagnostic {
    std::string what = {};  ///< a sentence without its full stop
    Place place = {};       ///< where; default-constructed when there is no place
    std::string text = {};  ///< the offending text as it stands in the input; may be empty
    /// What to do, such as the option that changes the behaviour; may be empty.
    std::string advice = {};
};

using Warnings = std::vector<Diagnostic>;

/// Collects warnings so that a file with a thousand slips of one kind gives one message: of each
/// kind the first is kept and the others are counted.
class WarningCollector {
  public:
    /// True when this is the first of its kind; only then is the diagnostic worth making.
    [[nodiscard]] bool isFirst(std::string_view kind);
    /// Records the first of a kind. @pre isFirst(kind) was just true.
    void keep(Diagnostic diagnostic) { entries_.back().diagnostic = std::move(diagnostic); }
    /// The warnings in the order they arose; counts are added to the text.
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
[[nodiscard]] std::string describe(const Place& place);

/// The whole diagnostic on one line: `place: what: 'text' (advice)`.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic);

/// Counts lines of a text as it goes along: offsets that only grow cost linear time in all. LF,
/// CRLF and lone CR end a line.
class LineCounter {
  public:
    /// Line and column (counted from 1) of byte `offset` of `text`, which is always the same text.
    [[nodiscard]] Place place(std::string_view text, std::size_t offset, std::string_view file);

  private:
    std::size_t counted_to_ = 0;
    std::size_t line_ = 1;
    std::size_t line_start_ = 0;
};

/// The same for one offset.
[[nodiscard]] Place placeAt(std::string_view text, std::size_t offset, std::string_view file);

/// `text` cut to at most 60 bytes, with control characters made visible, for use in a diagnostic.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace ulna
