// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/draw/detail/scale_bar.h"
#include "ulna/draw/detail/stroke_font.h"
#include "ulna/draw/plot.h"
#include "ulna/draw/shaded.h"

namespace ulna::draw {
namespace {

void fill(double left, double top, double right, double bottom, const Color& color, Raster& image) {
    const auto cut = [](double v, std::size_t most) {
        return static_cast<std::size_t>(std::clamp(std::round(v), 0.0, static_cast<double>(most)));
    };
    for (std::size_t y = cut(top, image.height); y < cut(bottom, image.height); ++y)
        for (std::size_t x = cut(left, image.width); x < cut(right, image.width); ++x)
            image.pixels[y * image.width + x] = color;
}

// Text that begins at `left`.
void write(const std::string& text, double left, double baseline, double size, Raster& image) {
    detail::drawText(text, left + detail::textWidth(text, size) / 2.0, baseline, size,
                     detail::kTextColor, image);
}

// Where the parts of a legend are, in pixels below the picture.
class LegendLayout {
  public:
    LegendLayout(const Raster& image, const Legend& legend) : legend_(legend) {
        const auto least = static_cast<double>(std::min(image.width, image.height));
        size_ = legend.text > 0.0 ? legend.text : std::clamp(0.026 * least, 11.0, 24.0);
        width_ = static_cast<double>(image.width);
        if (legend.scale)
            scale_ =
                detail::scaleBarOf(legend.scale->pixels_per_unit, 5.0 * size_, legend.scale->unit);
        for (const LegendColor& entry : legend.colors)
            column_ = std::max(column_, detail::textWidth(entry.text, size_) + 3.5 * size_);
        width_ = std::max({width_, column_ + size_, barWidth() + size_, scaleWidth() + size_,
                           detail::textWidth(legend.note, size_) + 2.0 * size_});
        if (column_ > 0.0) {
            columns_ = static_cast<std::size_t>((width_ - size_) / column_);
            columns_ = std::clamp<std::size_t>(columns_, 1, legend.colors.size());
        }
    }

    [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(std::ceil(width_)); }
    [[nodiscard]] std::size_t height() const {
        const double note = legend_.note.empty() ? 0.0 : row();
        return static_cast<std::size_t>(
            std::ceil(barsHeight() + colorsHeight() + note + 0.5 * size_));
    }

    void draw(double top, Raster& image) const {
        double left = size_;
        if (legend_.scale) {
            const double middle = top + 0.75 * row();
            fill(left, middle - 1.0, left + scale_.pixels, middle + 1.0, detail::kTextColor, image);
            write(scale_.text, left + scale_.pixels + 0.5 * size_, middle + 0.35 * size_, size_,
                  image);
            left += scaleWidth();
        }
        if (legend_.bar) drawBar(left, top, image);
        for (std::size_t i = 0; i < legend_.colors.size(); ++i) {
            const std::size_t line = i / columns_;
            const double x = size_ + column_ * static_cast<double>(i % columns_);
            const double y = top + barsHeight() + row() * static_cast<double>(line);
            fill(x, y + 0.25 * row(), x + 1.2 * size_, y + 0.25 * row() + size_,
                 legend_.colors[i].color, image);
            write(legend_.colors[i].text, x + 1.8 * size_, y + 0.25 * row() + 0.85 * size_, size_,
                  image);
        }
        write(legend_.note, size_,
              top + barsHeight() + colorsHeight() + 0.25 * row() + 0.85 * size_, size_, image);
    }

  private:
    [[nodiscard]] double row() const { return 1.6 * size_; }
    [[nodiscard]] double barLength() const { return 14.0 * size_; }
    [[nodiscard]] double barsHeight() const {
        return legend_.bar ? 2.2 * row() : (legend_.scale ? 1.5 * row() : 0.0);
    }
    [[nodiscard]] double colorsHeight() const {
        if (legend_.colors.empty()) return 0.0;
        const std::size_t lines = (legend_.colors.size() + columns_ - 1) / columns_;
        return row() * static_cast<double>(lines);
    }
    [[nodiscard]] double barWidth() const {
        if (!legend_.bar) return 0.0;
        return detail::textWidth(legend_.bar->label, size_) + barLength() + 4.0 * size_;
    }
    [[nodiscard]] double scaleWidth() const {
        if (!legend_.scale) return 0.0;
        return scale_.pixels + detail::textWidth(scale_.text, size_) + 3.0 * size_;
    }

    void drawBar(double left, double top, Raster& image) const {
        const ColorBar& bar = *legend_.bar;
        const double middle = top + 0.75 * row();
        write(bar.label, left, middle + 0.35 * size_, size_, image);
        left += detail::textWidth(bar.label, size_) + size_;
        const auto pixels = static_cast<std::size_t>(std::ceil(barLength()));
        for (std::size_t i = 0; i < pixels; ++i) {
            const double x = left + static_cast<double>(i);
            const auto share = static_cast<float>(i) / static_cast<float>(pixels - 1);
            fill(x, middle - 0.5 * size_, x + 1.0, middle + 0.5 * size_, weightColor(share), image);
        }
        const double span = bar.high > bar.low ? bar.high - bar.low : 1.0;
        for (const double tick : roundTicks(bar.low, bar.low + span, 4)) {
            const double x = left + (tick - bar.low) / span * barLength();
            fill(x - 0.5, middle + 0.5 * size_, x + 0.5, middle + 0.8 * size_, detail::kTextColor,
                 image);
            detail::drawText(fmt::format("{:.4g}", tick), x, middle + 1.9 * size_, size_,
                             detail::kTextColor, image);
        }
    }

    const Legend& legend_;
    double size_ = 11.0, width_ = 0.0, column_ = 0.0;
    std::size_t columns_ = 1;
    detail::ScaleBarShape scale_;
};

}  // namespace

Raster withLegend(const Raster& image, const Legend& legend, const Color& background) {
    if (!legend.scale && !legend.bar && legend.colors.empty() && legend.note.empty()) return image;
    const LegendLayout layout(image, legend);
    Raster out{layout.width(), image.height + layout.height(), {}, image.pixels_per_unit};
    out.pixels.assign(out.width * out.height, background);
    const std::size_t left = (out.width - image.width) / 2;
    for (std::size_t y = 0; y < image.height; ++y) {
        const auto row = image.pixels.begin() + static_cast<std::ptrdiff_t>(y * image.width);
        std::copy_n(row, image.width,
                    out.pixels.begin() + static_cast<std::ptrdiff_t>(y * out.width + left));
    }
    layout.draw(static_cast<double>(image.height), out);
    return out;
}

}  // namespace ulna::draw
