// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include "ulna/io/detail/base64.h"

namespace ulna::io::detail {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> makeValues() {
    std::array<std::uint8_t, 256> out{};
    for (std::uint8_t& value : out) value = kNoDigit;
    for (std::size_t i = 0; i < kDigits.size(); ++i)
        out[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
    return out;
}
constexpr std::array<std::uint8_t, 256> kValues = makeValues();

char digit(unsigned bits) {
    return kDigits[bits & 63U];
}

}  // namespace

std::optional<std::string> decodeBase64(std::string_view text) {
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    if (text.size() % 4 == 1) return {};
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
        if (value == kNoDigit) return {};
        bits = (bits << 6U | value) & 0xFFFFFFU;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push_back(static_cast<char>(bits >> count & 0xFFU));
    }
    return out;
}

void Base64Encoder::add(std::string_view bytes, std::string& out) {
    for (const char c : bytes) {
        bits_ = bits_ << 8U | static_cast<unsigned char>(c);
        if (++held_ < 3) continue;
        for (unsigned shift = 24; shift > 0;) out.push_back(digit(bits_ >> (shift -= 6)));
        bits_ = held_ = 0;
    }
}

void Base64Encoder::finish(std::string& out) {
    if (held_ == 0) return;
    const unsigned padded = bits_ << (held_ == 1 ? 16U : 8U);
    out.push_back(digit(padded >> 18U));
    out.push_back(digit(padded >> 12U));
    out.push_back(held_ == 1 ? '=' : digit(padded >> 6U));
    out.push_back('=');
    bits_ = held_ = 0;
}

}  // namespace ulna::io::detail
