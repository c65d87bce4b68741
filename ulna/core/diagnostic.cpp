// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/diagnostic.h"

#include <algorithm>
#include <utility>

namespace ulna {

std::string describe(const Location& location) {
    std::string out = location.file;
    if (location.line > 0) {
        if (out.empty())
            out = "line ";
        else
            out += ':';
        out += std::to_string(location.line) + ':' + std::to_string(location.column);
    }
    if (!location.json_path.empty()) {
        if (!out.empty()) out += ": ";
        out += location.json_path;
    }
    return out;
}

std::string describe(const Diagnostic& diagnostic) {
    std::string out = describe(diagnostic.location);
    if (!out.empty()) out += ": ";
    out += diagnostic.what;
    if (!diagnostic.text.empty()) out += ": '" + diagnostic.text + '\'';
    if (!diagnostic.advice.empty()) out += " (" + diagnostic.advice + ')';
    return out;
}

bool WarningCollector::isFirst(std::string_view kind) {
    for (Entry& entry : entries_) {
        if (entry.kind != kind) continue;
        ++entry.more;
        return false;
    }
    entries_.push_back({std::string(kind), {}, 0});
    return true;
}

Warnings WarningCollector::take() {
    Warnings out;
    for (Entry& entry : entries_) {
        if (entry.more > 0) {
            entry.diagnostic.what += " (and " + std::to_string(entry.more) + " more times)";
        }
        out.push_back(std::move(entry.diagnostic));
    }
    entries_.clear();
    return out;
}

Location LineCounter::locate(std::string_view text, std::size_t offset, std::string_view file) {
    offset = std::min(offset, text.size());
    if (offset < counted_to_) *this = {};
    for (; counted_to_ < offset; ++counted_to_) {
        const char c = text[counted_to_];
        const bool cr_of_crlf =
            c == '\r' && counted_to_ + 1 < text.size() && text[counted_to_ + 1] == '\n';
        if ((c != '\n' && c != '\r') || cr_of_crlf) continue;
        ++line_;
        line_start_ = counted_to_ + 1;
    }
    return {.file = std::string(file), .line = line_, .column = offset - line_start_ + 1};
}

Location locationAt(std::string_view text, std::size_t offset, std::string_view file) {
    return LineCounter().locate(text, offset, file);
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t kMaxBytes = 60;
    std::string out;
    const bool cut = text.size() > kMaxBytes;
    if (cut) {
        std::size_t end = kMaxBytes;
        // Never cut inside a UTF-8 sequence.
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
        text = text.substr(0, end);
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20U && byte != 0x7FU) {
            out += c;
        } else {
            constexpr char kHex[] = "0123456789abcdef";
            out += "\\x";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        }
    }
    if (cut) out += "...";
    return out;
}

}  // namespace ulna
