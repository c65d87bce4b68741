// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/text.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ulna {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Edits that turn one text into the other: a letter more, less or other, or two neighbours swapped.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string lowerCase(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [](char x, char y) { return lower(x) == lower(y); });
}

std::size_t utf8Length(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[k])) : 0U;
    };
    const unsigned lead = byte(offset);
    std::size_t n = 0;
    if (lead < 0x80U)
        n = 1;
    else if (lead >= 0xC2U && lead < 0xE0U)
        n = 2;
    else if (lead >= 0xE0U && lead < 0xF0U)
        n = 3;
    else if (lead >= 0xF0U && lead < 0xF5U)
        n = 4;
    for (std::size_t k = 1; k < n; ++k) {
        if ((byte(offset + k) & 0xC0U) != 0x80U) return 0;
    }
    // Overlong forms, surrogates, and what lies beyond Unicode.
    const unsigned second = byte(offset + 1);
    if ((lead == 0xE0U && second < 0xA0U) || (lead == 0xEDU && second > 0x9FU)) return 0;
    if ((lead == 0xF0U && second < 0x90U) || (lead == 0xF4U && second > 0x8FU)) return 0;
    return n;
}

std::uint32_t codePointAt(std::string_view text, std::size_t offset, std::size_t length) {
    // The first byte begins with as many ones as there are bytes, and a zero.
    const auto lead = static_cast<unsigned char>(text[offset]);
    std::uint32_t out = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k)
        out = out << 6U | (static_cast<unsigned char>(text[offset + k]) & 0x3FU);
    return out;
}

bool isControl(std::uint32_t code_point) {
    return code_point < 0x20U || (code_point >= 0x7FU && code_point < 0xA0U) ||
           (code_point >= 0x202AU && code_point <= 0x202EU) ||
           (code_point >= 0x2066U && code_point <= 0x2069U);
}

std::string visibleText(std::string_view text, bool lines) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t valid = utf8Length(text, i), length = std::max<std::size_t>(valid, 1);
        const bool kept = lines && (text[i] == '\n' || text[i] == '\t');
        if (kept || (valid > 0 && !isControl(codePointAt(text, i, valid)))) {
            out += text.substr(i, length);
        } else {
            for (std::size_t k = i; k < i + length; ++k) {
                const auto byte = static_cast<unsigned char>(text[k]);
                out += "\\x";
                out += kHex[byte >> 4U];
                out += kHex[byte & 15U];
            }
        }
        i += length;
    }
    return out;
}

std::string readableText(std::string_view text) {
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; };
    bool utf8 = true;
    for (std::size_t i = 0; i < text.size() && utf8;) {
        const std::size_t n = utf8Length(text, i);
        utf8 = n > 0;
        i += n;
    }
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (control(c)) {
            out += '_';
        } else if (utf8 || byte < 0x80U) {
            out += c;
        } else {
            out += static_cast<char>(0xC0U | (byte >> 6U));
            out += static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    return out;
}

std::vector<std::string> closestNames(std::string_view name,
                                      std::span<const std::string> candidates) {
    // Names are short; a longer input is not a misspelling and must not cost quadratic time.
    constexpr std::size_t kLongest = 128;
    constexpr std::size_t kMost = 3;
    if (name.empty() || name.size() > kLongest) return {};
    const std::string wanted = lowerCase(name);
    std::vector<std::pair<std::size_t, std::size_t>> ranked;  // distance, index
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].size() > kLongest) continue;
        const std::string candidate = lowerCase(candidates[i]);
        // A part of the name is a common slip too ("foot" for "LeftFoot"), ranked behind typos.
        const bool contains = wanted.size() >= 3 && candidate.find(wanted) != std::string::npos;
        const std::size_t distance = editDistance(wanted, candidate);
        const std::size_t allowed = std::max<std::size_t>(1, wanted.size() / 3);
        if (distance <= allowed || contains) ranked.emplace_back(distance, i);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (const auto& [distance, index] : ranked) {
        if (out.size() == kMost) break;
        out.push_back(candidates[index]);
    }
    return out;
}

std::string suggestNames(std::string_view name, std::span<const std::string> candidates) {
    const std::vector<std::string> names = closestNames(name, candidates);
    if (names.empty()) return {};
    std::string out = "did you mean ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
        out += '\'' + names[i] + '\'';
    }
    return out + '?';
}

}  // namespace ulna
