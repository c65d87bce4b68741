// SPDX-License-Identifier: Apache-2.0

// Text that is cut to the room there is, whatever the font.
#pragma once

#include <string>
#include <string_view>

namespace ulna::draw::detail {

/// The text cut so that `widthOf` it is at most `width`, with two dots where something is missing;
/// empty where not even these fit.
template <class WidthOf>
[[nodiscard]] std::string cutText(std::string_view text, double width, const WidthOf& widthOf) {
    if (widthOf(text) <= width) return std::string(text);
    while (!text.empty()) {
        // A whole character goes: the bytes that continue one, and its first.
        while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80U)
            text.remove_suffix(1);
        text.remove_suffix(1);
        if (std::string shorter = std::string(text) + ".."; widthOf(shorter) <= width)
            return shorter;
    }
    return {};
}

}  // namespace ulna::draw::detail
