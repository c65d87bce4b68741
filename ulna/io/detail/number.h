// SPDX-License-Identifier: Apache-2.0

// Decimal text to double, for columns of plain numbers such as -12.345678: eight digits at a time.
#pragma once

#include <cstdint>
#include <cstring>

namespace ulna::io::detail {

/// How many bytes past the start of a number parsePlainNumber may look at.
inline constexpr std::size_t kPlainNumberBytes = 32;

inline constexpr std::uint64_t kPowersOfTen[] = {1,      10,      100,      1000,     10000,
                                                 100000, 1000000, 10000000, 100000000};
inline constexpr double kExactPowersOfTen[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                               1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};

/// Up to eight leading decimal digits at `p`: their value and how many there are.
struct DigitRun {
    std::uint64_t value;
    unsigned count;
};

inline DigitRun readDigits(const char* p) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);  // little-endian: the first digit is the lowest byte
    word ^= 0x3030303030303030ULL;
    // The top bit of each byte that was not a digit.
    const std::uint64_t other = (word | (word + 0x7676767676767676ULL)) & 0x8080808080808080ULL;
    const unsigned count = other == 0 ? 8U : static_cast<unsigned>(__builtin_ctzll(other)) / 8U;
    if (count == 0) return {0, 0};
    word <<= (8U - count) * 8U;  // as if padded with zeros in front
    word = word * 10 + (word >> 8U);
    const std::uint64_t value = ((word & 0x000000FF000000FFULL) * 0x000F424000000064ULL +
                                 ((word >> 16U) & 0x000000FF000000FFULL) * 0x0000271000000001ULL) >>
                                32U;
    return {value, count};
}

/// Parses [-]digits[.digits] of at most 16 digits whose value is exact by one division (Clinger
/// 1990). Returns the end of the number, or nullptr when the text is not of that form; what follows
/// the number is the caller's to judge.
/// @pre kPlainNumberBytes bytes are readable at p.
inline const char* parsePlainNumber(const char* p, double& out) {
    const bool negative = *p == '-';
    p += negative ? 1 : 0;
    const DigitRun whole = readDigits(p);
    if (whole.count == 0 || whole.count == 8) return nullptr;
    p += whole.count;
    std::uint64_t mantissa = whole.value;
    unsigned decimals = 0;
    if (*p == '.') {
        ++p;
        const DigitRun first = readDigits(p);
        p += first.count;
        decimals = first.count;
        mantissa = mantissa * kPowersOfTen[first.count] + first.value;
        if (first.count == 8) {
            const DigitRun second = readDigits(p);
            if (second.count == 8) return nullptr;
            p += second.count;
            decimals += second.count;
            mantissa = mantissa * kPowersOfTen[second.count] + second.value;
            // Seven digits before the point and fifteen behind do not overflow 64 bits only below
            // 10^19; what is not exact in a double is refused anyway.
            if (whole.count + decimals > 18) return nullptr;
        }
    }
    constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
    if (mantissa > kExact) return nullptr;
    const double value = static_cast<double>(mantissa) / kExactPowersOfTen[decimals];
    out = negative ? -value : value;
    return p;
}

}  // namespace ulna::io::detail
