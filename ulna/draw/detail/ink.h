// SPDX-License-Identifier: Apache-2.0

// Ink: lines on pictures of pixels, with smooth edges. Strokes are collected first and then poured
// as one, so that they are not darker where they cross.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ulna/draw/raster.h"
#include "ulna/math/vec.h"

namespace ulna::draw::detail {

class Ink {
  public:
    /// For a part of a picture, in pixels. Coordinates of lines are those of the part.
    Ink(std::size_t left, std::size_t top, std::size_t width, std::size_t height)
        : left_(left), top_(top), width_(width), height_(height), shares_(width * height, 0.0f) {}

    /// All that is within `radius` of the line from a to b. What lies outside the part is left out.
    void line(const Vec2& a, const Vec2& b, double radius);
    /// @pre the part is inside the image.
    void pour(const Color& color, Raster& image) const;

  private:
    std::size_t left_, top_, width_, height_;
    std::vector<float> shares_;  // how much of each pixel is covered
};

/// Lines from point to point, in pixels of the image; one point is a disc.
void drawLines(std::span<const Vec2> points, double width, const Color& color, Raster& image);
/// A filled disc.
void drawDot(const Vec2& middle, double radius, const Color& color, Raster& image);

}  // namespace ulna::draw::detail
