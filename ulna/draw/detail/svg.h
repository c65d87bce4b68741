// SPDX-License-Identifier: Apache-2.0

// What every SVG picture is made of: a page, lines and text. Numbers have one decimal, so that
// equal pictures have equal bytes.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "ulna/skin/mesh.h"

namespace ulna::draw::detail {

/// The background of pages.
inline constexpr const char* kPaper = "#fbfaf7";

/// Text for an element or attribute: markup escaped, control characters made spaces.
[[nodiscard]] std::string escaped(std::string_view text);

/// 1, 2 or 5 times a power of ten, at most `value`. @pre value > 0
[[nodiscard]] double niceLength(double value);

/// How wide text is in pixels, about: measured in DejaVu Sans, which is wider than most fonts.
[[nodiscard]] double svgTextWidth(std::string_view text, double size);

/// The text cut so that it is at most `width` wide, with two dots where something is missing.
[[nodiscard]] std::string fittingSvgText(std::string_view text, double size, double width);

/// `#rrggbb`; alpha is left out.
[[nodiscard]] std::string svgColor(const Color& color);

/// An SVG page that is being written.
class SvgPage {
  public:
    void open(double width, double height);
    [[nodiscard]] std::string close();
    void line(double x0, double y0, double x1, double y1, std::string_view colour, double width);
    void text(double x, double y, double size, std::string_view anchor, std::string_view colour,
              std::string_view content);
    void dot(double x, double y, double radius, std::string_view colour);

  protected:
    [[nodiscard]] std::back_insert_iterator<fmt::memory_buffer> out() {
        return std::back_inserter(buffer_);
    }

  private:
    fmt::memory_buffer buffer_;
};

}  // namespace ulna::draw::detail
