// SPDX-License-Identifier: Apache-2.0

// A small font of lines, for words in pictures of pixels: captions and names of joints.
#pragma once

#include <string>
#include <string_view>

#include "ulna/draw/raster.h"

namespace ulna::draw::detail {

/// Of captions and legends: dark enough for a white page and for a pale one.
inline constexpr Color kTextColor = {88, 92, 98, 255};

/// How wide a line of text is, in pixels, at a size given as SVG gives it.
[[nodiscard]] double textWidth(std::string_view text, double size);

/// The text cut so that it is at most `width` wide, with two dots where something is missing.
[[nodiscard]] std::string fittingText(std::string_view text, double size, double width);

/// Writes one line around `middle`, standing on `baseline` (in pixels from the top). What lies
/// outside the image is left out. A character beyond ASCII becomes an empty box.
void drawText(std::string_view text, double middle, double baseline, double size,
              const Color& color, Raster& image);

}  // namespace ulna::draw::detail
