// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/bvh_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "ulna/core/text.h"

namespace ulna::io::detail {

bool BvhText::startsComment(std::size_t offset) const {
    const std::string_view rest = text_.substr(offset);
    return rest.starts_with('#') || rest.starts_with("//");
}

std::size_t BvhText::lineStart(std::size_t offset) const {
    while (offset > 0 && !isNewline(text_[offset - 1])) --offset;
    return offset;
}

std::size_t BvhText::lineEnd(std::size_t offset) const {
    while (offset < text_.size() && !isNewline(text_[offset])) ++offset;
    return offset;
}

void BvhText::skipBlank() {
    for (;;) {
        while (position < text_.size() && isSpace(text_[position])) ++position;
        if (position >= text_.size() || !startsComment(position)) return;
        const std::size_t end = lineEnd(position);
        warn("comment", position, "a comment is skipped", text_.substr(position, end - position));
        position = end;
    }
}

std::string_view BvhText::word() {
    skipBlank();
    const std::size_t begin = position;
    while (position < text_.size()) {
        const char c = text_[position];
        if (isSpace(c) || c == '{' || c == '}' || c == ':') break;
        ++position;
    }
    return text_.substr(begin, position - begin);
}

std::string_view BvhText::name() {
    // A name may start like a comment.
    while (position < text_.size() && isSpace(text_[position])) ++position;
    const std::size_t begin = position;
    while (position < text_.size() && !isNewline(text_[position]) && text_[position] != '{' &&
           text_[position] != '}') {
        ++position;
    }
    std::size_t end = position;
    while (end > begin && isSpace(text_[end - 1])) --end;
    return text_.substr(begin, end - begin);
}

std::string_view BvhText::tokenAt(std::size_t offset) const {
    // Numbers glued together may be megabytes long, and every one of them asks.
    constexpr std::size_t kLongest = 80;
    const std::size_t most = std::min(text_.size(), offset + kLongest);
    std::size_t end = offset;
    while (end < most && !isSpace(text_[end])) ++end;
    return text_.substr(offset, end - offset);
}

Result<double> BvhText::convert(std::size_t begin, std::size_t end, std::size_t comma) {
    std::string copy;
    const char* first = text_.data() + begin;
    const char* last = text_.data() + end;
    if (comma < end) {
        copy.assign(first, last);
        copy[comma - begin] = '.';
        first = copy.data();
        last = first + copy.size();
    }
    if (first != last && *first == '+') ++first;
    double value = 0.0;
    const auto [stop, status] = fast_float::from_chars(first, last, value);
    if (stop != last || first == last) {
        return error(begin, "a number was expected", tokenAt(begin));
    }
    // Beyond any use, and sums and products of such numbers would overflow.
    if (!(std::abs(value) <= kLargestNumber)) {
        return error(begin, "the number is too large", tokenAt(begin));
    }
    return value;
}

Result<double> BvhText::number() {
    skipBlank();
    // A comma by itself, or behind the last number, separates.
    if (position < text_.size() && text_[position] == ',') {
        warn("separator", position, "commas between numbers are skipped", tokenAt(position));
        ++position;
        skipBlank();
    }
    const std::size_t begin = position;
    if (begin >= text_.size()) return error(begin, "a number was expected, but the file ends");
    const std::string_view token = tokenAt(begin);
    std::size_t at = begin;
    std::size_t comma = text_.size();
    const auto here = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
    const auto digits = [&] {
        while (isDigit(here(at))) ++at;
    };
    if (here(at) == '-' || here(at) == '+') ++at;
    digits();
    bool has_point = false;
    if (here(at) == '.') {
        has_point = true;
        ++at;
        digits();
    } else if (here(at) == ',' && at > begin && isDigit(here(at - 1)) && isDigit(here(at + 1))) {
        comma = at;
        ++at;
        digits();
        if (here(at) == ',' || here(at) == '.') {
            return error(begin, "a comma could be a decimal sign or a separator here", token,
                         "write numbers with a decimal point, separated by spaces");
        }
    }
    const bool has_digit = std::any_of(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       text_.begin() + static_cast<std::ptrdiff_t>(at), isDigit);
    if (!has_digit) {
        const std::string lower = lowerCase(token);
        const bool not_finite =
            lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos;
        if (not_finite) return error(begin, "the number is not finite", token);
        return error(begin, "a number was expected", token);
    }
    if (here(at) == 'e' || here(at) == 'E') {
        const std::size_t sign = here(at + 1) == '-' || here(at + 1) == '+' ? 1 : 0;
        if (isDigit(here(at + 1 + sign))) {
            at += 1 + sign;
            digits();
        }
    }
    const char next = here(at);
    const bool glued = next == '-' || next == '+';
    const bool separated = next == ',' && (has_point || isSpace(here(at + 1)));
    if (!isSpace(next) && !glued && !separated && next != '{' && next != '}') {
        // "1.#QNAN" and its like start as a number does.
        if (next == '#' || lowerCase(token).find("nan") != std::string::npos) {
            return error(begin, "the number is not finite", token);
        }
        return error(begin, "a number was expected", token);
    }
    const Result<double> value = convert(begin, at, comma);
    if (!value) return value;
    if (comma < text_.size()) {
        warn("decimal comma", begin, "a decimal comma is read as a decimal point", token);
    }
    if (glued) warn("glued", begin, "numbers without a space between them are read as two", token);
    position = at;
    if (separated) {
        warn("separator", begin, "commas between numbers are skipped", token);
        ++position;
    }
    return value;
}

Location BvhText::locate(std::size_t offset) {
    return lines_.locate(text_, offset, source_);
}

Diagnostic BvhText::error(std::size_t offset, std::string what, std::string_view text,
                          std::string advice) {
    return {.what = std::move(what),
            .location = locationAt(text_, offset, source_),
            .text = excerpt(text),
            .advice = std::move(advice)};
}

void BvhText::warn(std::string_view kind, std::size_t offset, std::string what,
                   std::string_view text, std::string advice) {
    if (!warnings_.isFirst(kind)) return;
    warnings_.keep(error(offset, std::move(what), text, std::move(advice)));
}

}  // namespace ulna::io::detail
