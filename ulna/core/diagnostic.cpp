// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/diagnostic.h"

#include <algorithm>
#include <utility>

namespace ulna {

std::string describe(const Place& place) {
    std::string out = place.file;
    if (place.line > 0) {
        if (out.empty())
            out = "line ";
        else
            out += ':';
        out += std::to_string(place.line) + ':' + std::to_string(place.column);
    }
    if (!place.json_path.empty()) {
        if (!out.empty()) out += ": ";
        out += place.json_path;
    }
    return out;
}

std::string describe(const Diagnostic& diagnostic) {
    std::string out = describe(diagnostic.place);
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

Place placeAt(std::string_view text, std::size_t offset, std::string_view file) {
    offset = std::min(offset, text.size());
    std::size_t line = 1;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < offset; ++i) {
        const bool lone_cr = text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n');
        if (text[i] != '\n' && !lone_cr) continue;
        ++line;
        line_start = i + 1;
    }
    return Place{std::string(file), line, offset - line_start + 1, {}};
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
