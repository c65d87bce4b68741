// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/number_text.h"

#include <fmt/format.h>

#include "ulna/core/assert.h"

namespace ulna {
namespace {

void dropSignOfZero(std::string& text) {
    if (text == "-0") text = "0";
}

}  // namespace

std::string shortNumber(double value, int digits) {
    ULNA_ASSERT(digits > 0, "a number has at least one digit");
    std::string out = fmt::format("{:.{}g}", value, digits);
    const std::size_t exponent = out.find('e');
    if (exponent != std::string::npos) {
        // `e-07` is `e-7`, and `e+07` is `e7`.
        const std::size_t sign = exponent + 1;
        const std::size_t first = out.find_first_not_of("+-0", sign);
        out.replace(sign, first - sign, out[sign] == '-' ? "-" : "");
    }
    dropSignOfZero(out);
    return out;
}

std::string shortDecimals(double value, int decimals) {
    ULNA_ASSERT(decimals >= 0, "a number has no negative count of decimals");
    std::string out = fmt::format("{:.{}f}", value, decimals);
    if (out.find('.') != std::string::npos) {
        out.erase(out.find_last_not_of('0') + 1);
        if (out.back() == '.') out.pop_back();
    }
    dropSignOfZero(out);
    return out;
}

}  // namespace ulna
