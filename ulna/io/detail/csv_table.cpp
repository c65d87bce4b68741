// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/csv_table.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include "ulna/io/bounds.h"

namespace ulna::io::detail {
namespace {

std::string_view trimmedText(std::string_view text) {
    constexpr std::string_view kBlank = " \t";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string_view source) : text_(text), source_(source) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

CsvTable::Cell CsvTable::next() {
    Cell cell{{}, at_, true};
    const std::size_t begin = text_.find_first_not_of(" \t", at_);
    if (begin != std::string_view::npos && text_[begin] == '"') {
        at_ = begin + 1;
        while (at_ < text_.size()) {
            if (text_[at_] == '"') {
                if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
                ++at_;
            }
            cell.text += text_[at_++];
        }
        at_ = std::min(at_ + 1, text_.size());
    }
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    cell.text += trimmedText(text_.substr(at_, end - at_));
    at_ = end;
    if (at_ >= text_.size()) return cell;
    cell.last = text_[at_] != ',';
    const bool crlf = text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
    at_ += crlf ? 2 : 1;
    return cell;
}

Diagnostic CsvTable::error(const Cell& cell, std::string what, std::string advice) const {
    return {.what = std::move(what),
            .location = locationAt(text_, cell.offset, source_),
            .text = excerpt(cell.text),
            .advice = std::move(advice)};
}
Result<double> CsvTable::number(const Cell& cell) const {
    double out = 0.0;
    const char* end = cell.text.data() + cell.text.size();
    const auto [stop, status] = fast_float::from_chars(cell.text.data(), end, out);
    if (status != std::errc() || stop != end) return error(cell, "this is not a number");
    if (!(std::abs(out) <= kLargestNumber)) return error(cell, "the number is too large");
    return out;
}

}  // namespace ulna::io::detail
