// SPDX-License-Identifier: Apache-2.0

// The text of a BVH file as words and numbers, in every dialect, with warnings that are told once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/io/bounds.h"
#include "ulna/io/bvh.h"

namespace ulna::io::detail {

[[nodiscard]] constexpr bool isNewline(char c) {
    return c == '\n' || c == '\r';
}
[[nodiscard]] constexpr bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || isNewline(c);
}
[[nodiscard]] constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// A cursor over the text. Everything is an offset; lines and columns are counted only when a
/// message needs them.
class BvhText {
  public:
    BvhText(std::string_view text, std::string_view source) : text_(text), source_(source) {}

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::size_t size() const { return text_.size(); }
    [[nodiscard]] bool atEnd() const { return position >= text_.size(); }
    [[nodiscard]] char peek() const { return text_[position]; }

    /// Skips white space and comments.
    void skipBlank();
    /// Skips blanks, then reads to the next white space, brace or colon. Empty at a brace or the
    /// end.
    [[nodiscard]] std::string_view word();
    /// The rest of the line up to a brace, trimmed: a name, which may contain spaces.
    [[nodiscard]] std::string_view name();
    /// The text from `offset` to the next white space, for messages: cut where it gets long.
    [[nodiscard]] std::string_view tokenAt(std::size_t offset) const;
    [[nodiscard]] bool startsComment(std::size_t offset) const;
    [[nodiscard]] std::size_t lineStart(std::size_t offset) const;
    [[nodiscard]] std::size_t lineEnd(std::size_t offset) const;

    /// Reads a number in any dialect: decimal commas, numbers glued together or separated by
    /// commas.
    [[nodiscard]] Result<double> number();

    /// Line and column of an offset. Offsets that only grow cost linear time in all.
    [[nodiscard]] Location locate(std::size_t offset);
    [[nodiscard]] Diagnostic error(std::size_t offset, std::string what, std::string_view text = {},
                                   std::string advice = {});
    /// Records a warning. Of one kind, the first is kept and the others are counted.
    void warn(std::string_view kind, std::size_t offset, std::string what,
              std::string_view text = {}, std::string advice = {});
    /// The warnings in the order they arose, with counts.
    [[nodiscard]] Warnings takeWarnings() { return warnings_.take(); }

    std::size_t position = 0;
    /// Told now and then how far the rows have been read, if anyone wants to know.
    std::function<void(std::size_t offset)> read_to = {};

  private:
    [[nodiscard]] Result<double> convert(std::size_t begin, std::size_t end, std::size_t comma);

    std::string_view text_;
    std::string_view source_;
    WarningCollector warnings_;
    LineCounter lines_;
};

/// Reads the MOTION part, from behind its keyword, into `file`, or with `keep` false all of it but
/// the numbers. `rows_at` is where the rows begin.
[[nodiscard]] std::optional<Diagnostic> readMotion(BvhText& text, const BvhReadOptions& options,
                                                   bool keep, BvhFile& file, std::size_t& rows_at);

/// A file's frames from its rows, which `row` finds.
[[nodiscard]] Result<BvhFrames> framesFrom(const BvhFile& file, const BvhMotionOptions& options,
                                           std::function<const double*(std::size_t frame)> row);

/// Rows that were read once, read again one by one. Going on is cheap; going back starts anew.
class BvhRows {
  public:
    BvhRows(std::string_view bytes, std::size_t rows_at, const BvhReadOptions& options,
            std::size_t width);
    ~BvhRows();
    BvhRows(BvhRows&&) noexcept;

    /// The numbers of a frame; they hold until the next call.
    [[nodiscard]] const double* at(std::size_t frame);

    std::function<void(std::size_t offset)> read_to = {};  ///< as in BvhText

  private:
    struct State;
    std::string_view bytes_;
    std::size_t rows_at_;
    BvhReadOptions options_;
    std::size_t width_;
    std::size_t next_ = 0;
    std::unique_ptr<State> state_;
};

}  // namespace ulna::io::detail
