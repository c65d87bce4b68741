// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/canvas.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/draw/detail/ink.h"
#include "ulna/draw/detail/stroke_font.h"

namespace ulna::draw::detail {
namespace {

constexpr double kDash = 5.0, kGapOfDashes = 4.0;

double opacityOf(const Color& color) {
    return color.a / 255.0;
}

}  // namespace

void Canvas::line(const Vec2& from, const Vec2& to, double width, const Color& color) {
    const Vec2 both[] = {from, to};
    lines(both, width, color);
}

void SvgCanvas::fill(const PageBox& box, const Color& color) {
    fmt::format_to(out(),
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                   "fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n",
                   box.left, box.top, box.right - box.left, box.bottom - box.top, svgColor(color),
                   opacityOf(color));
}

void SvgCanvas::lines(std::span<const Vec2> points, double width, const Color& color) {
    std::string path;
    for (const Vec2& p : points)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x, p.y);
    fmt::format_to(out(),
                   "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:.2f}\" "
                   "stroke-width=\"{:.1f}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
                   path, svgColor(color), opacityOf(color), width);
}

void SvgCanvas::dashes(const Vec2& from, const Vec2& to, double width, const Color& color) {
    fmt::format_to(out(),
                   "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                   "stroke-width=\"{:.1f}\" stroke-dasharray=\"{:.0f} {:.0f}\"/>\n",
                   from.x, from.y, to.x, to.y, svgColor(color), width, kDash, kGapOfDashes);
}

void SvgCanvas::text(const Vec2& at, Anchor anchor, double size, const Color& color,
                     std::string_view content) {
    constexpr std::string_view kNames[] = {"start", "middle", "end"};
    SvgPage::text(at.x, at.y, size, kNames[static_cast<std::size_t>(anchor)], svgColor(color),
                  content);
}

double SvgCanvas::widthOf(std::string_view text, double size) const {
    return svgTextWidth(text, size);
}

void RasterCanvas::fill(const PageBox& box, const Color& color) {
    const auto cut = [&](double v, std::size_t most) {
        return static_cast<std::size_t>(
            std::clamp(std::round(v * scale_), 0.0, static_cast<double>(most)));
    };
    const double share = opacityOf(color);
    const auto mix = [share](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>(std::lround(below + (above - below) * share));
    };
    for (std::size_t y = cut(box.top, image_.height); y < cut(box.bottom, image_.height); ++y) {
        for (std::size_t x = cut(box.left, image_.width); x < cut(box.right, image_.width); ++x) {
            Color& p = image_.pixels[y * image_.width + x];
            p = {mix(p.r, color.r), mix(p.g, color.g), mix(p.b, color.b), mix(p.a, 255)};
        }
    }
}

void RasterCanvas::lines(std::span<const Vec2> points, double width, const Color& color) {
    std::vector<Vec2> pixels;
    for (const Vec2& p : points) pixels.push_back(p * scale_);
    drawLines(pixels, width * scale_, color, image_);
}

void RasterCanvas::dashes(const Vec2& from, const Vec2& to, double width, const Color& color) {
    const double whole = length(to - from);
    if (whole <= 0.0) return;
    const Vec2 along = (to - from) * (1.0 / whole);
    for (double at = 0.0; at < whole; at += kDash + kGapOfDashes)
        line(from + along * at, from + along * std::min(at + kDash, whole), width, color);
}

void RasterCanvas::text(const Vec2& at, Anchor anchor, double size, const Color& color,
                        std::string_view content) {
    const double wide = textWidth(content, size * scale_);
    const double middle = at.x * scale_ + (anchor == Anchor::Start ? 0.5 * wide
                                           : anchor == Anchor::End ? -0.5 * wide
                                                                   : 0.0);
    drawText(content, middle, at.y * scale_, size * scale_, color, image_);
}

double RasterCanvas::widthOf(std::string_view text, double size) const {
    return textWidth(text, size);
}

}  // namespace ulna::draw::detail
