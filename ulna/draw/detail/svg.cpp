// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/svg.h"

#include <cmath>

#include "ulna/core/text.h"
#include "ulna/draw/detail/fitting_text.h"

namespace ulna::draw::detail {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : readableText(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += static_cast<unsigned char>(c) < 0x20U ? ' ' : c;
        }
    }
    return out;
}

double niceLength(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {5.0, 2.0, 1.0}) {
        if (step * power <= value) return step * power;
    }
    return power;
}

double svgTextWidth(std::string_view text, double size) {
    constexpr std::string_view kNarrow = "fijlrtI.,:;'|!()[]-/ ", kWide = "mwMW@%";
    double width = 0.0;
    for (const char c : readableText(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) == 0x80U) continue;  // the rest of a character
        if (byte >= 0x80U)
            width += 1.0;
        else if (kNarrow.find(c) != std::string_view::npos)
            width += 0.40;
        else if (kWide.find(c) != std::string_view::npos)
            width += 0.98;
        else
            width += c >= 'A' && c <= 'Z' ? 0.72 : 0.64;
    }
    return width * size;
}

std::string fittingSvgText(std::string_view text, double size, double width) {
    return cutText(readableText(text), width,
                   [size](std::string_view part) { return svgTextWidth(part, size); });
}

std::string svgColor(const Color& color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

void SvgPage::open(double width, double height) {
    fmt::format_to(out(),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                   "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\">\n"
                   "<rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>\n",
                   width, height, kPaper);
}

std::string SvgPage::close() {
    fmt::format_to(out(), "</svg>\n");
    return fmt::to_string(buffer_);
}

void SvgPage::line(double x0, double y0, double x1, double y1, std::string_view colour,
                   double width) {
    fmt::format_to(out(),
                   "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                   "stroke-width=\"{:.1f}\" stroke-linecap=\"round\"/>\n",
                   x0, y0, x1, y1, colour, width);
}

void SvgPage::text(double x, double y, double size, std::string_view anchor,
                   std::string_view colour, std::string_view content) {
    fmt::format_to(out(),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" "
                   "fill=\"{}\">{}</text>\n",
                   x, y, size, anchor, colour, escaped(content));
}

void SvgPage::dot(double x, double y, double radius, std::string_view colour) {
    fmt::format_to(out(), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
                   radius, colour);
}

}  // namespace ulna::draw::detail
