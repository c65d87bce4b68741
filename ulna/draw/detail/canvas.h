// SPDX-License-Identifier: Apache-2.0

// Canvas: what pictures of lines and text are drawn on, as SVG or as pixels.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ulna/draw/detail/labels.h"
#include "ulna/draw/detail/svg.h"
#include "ulna/draw/raster.h"
#include "ulna/math/vec.h"

namespace ulna::draw::detail {

enum class Anchor : std::uint8_t { Start, Middle, End };

/// Coordinates go to the right and down. Colours with alpha let through what is below.
class Canvas {
  public:
    virtual ~Canvas() = default;
    virtual void fill(const PageBox& box, const Color& color) = 0;
    virtual void lines(std::span<const Vec2> points, double width, const Color& color) = 0;
    /// A line from one point to another one.
    virtual void dashes(const Vec2& from, const Vec2& to, double width, const Color& color) = 0;
    virtual void text(const Vec2& at, Anchor anchor, double size, const Color& color,
                      std::string_view content) = 0;
    /// How wide a text is, about.
    [[nodiscard]] virtual double widthOf(std::string_view text, double size) const = 0;

    void line(const Vec2& from, const Vec2& to, double width, const Color& color);
};

/// A page of its own.
class SvgCanvas : public Canvas, private SvgPage {
  public:
    SvgCanvas(double width, double height) { open(width, height); }
    [[nodiscard]] std::string close() { return SvgPage::close(); }

    void fill(const PageBox& box, const Color& color) override;
    void lines(std::span<const Vec2> points, double width, const Color& color) override;
    void dashes(const Vec2& from, const Vec2& to, double width, const Color& color) override;
    void text(const Vec2& at, Anchor anchor, double size, const Color& color,
              std::string_view content) override;
    [[nodiscard]] double widthOf(std::string_view text, double size) const override;
};

/// A picture whose pixels are `scale` times as many as units of length.
class RasterCanvas : public Canvas {
  public:
    RasterCanvas(Raster& image, double scale) : image_(image), scale_(scale) {}

    void fill(const PageBox& box, const Color& color) override;
    void lines(std::span<const Vec2> points, double width, const Color& color) override;
    void dashes(const Vec2& from, const Vec2& to, double width, const Color& color) override;
    void text(const Vec2& at, Anchor anchor, double size, const Color& color,
              std::string_view content) override;
    [[nodiscard]] double widthOf(std::string_view text, double size) const override;

  private:
    Raster& image_;
    double scale_;
};

}  // namespace ulna::draw::detail
