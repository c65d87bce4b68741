// SPDX-License-Identifier: Apache-2.0

// Tables of comma-separated values, read cell by cell (RFC 4180: quoted cells, doubled quotes).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io::detail {

/// Refers to the text, which must outlive it.
class CsvTable {
  public:
    CsvTable(std::string_view text, std::string_view source);

    struct Cell {
        std::string text;
        std::size_t offset = 0;
        bool last = false;  // of its line
    };
    [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }

    /// The next cell without the white space around it; lines end with LF, CRLF or CR.
    [[nodiscard]] Cell next();

    [[nodiscard]] Diagnostic error(const Cell& cell, std::string what,
                                   std::string advice = {}) const;
    /// The cell as a finite number of at most kLargestNumber.
    [[nodiscard]] Result<double> number(const Cell& cell) const;

  private:
    std::string_view text_, source_;
    std::size_t at_ = 0;
};

}  // namespace ulna::io::detail
