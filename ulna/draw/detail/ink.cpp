// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/ink.h"

#include <algorithm>
#include <cmath>

#include "ulna/draw/detail/light_color.h"

namespace ulna::draw::detail {
namespace {

double distanceToSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 along = b - a;
    const double square = dot(along, along);
    const double t = square > 0.0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0.0;
    return length(p - (a + along * t));
}

std::size_t cutTo(double v, std::size_t most) {
    return static_cast<std::size_t>(std::clamp(v, 0.0, static_cast<double>(most)));
}

void blend(float share, const Color& ink, Color& pixel) {
    const float own = static_cast<float>(pixel.a) / 255.0f * (1.0f - share);
    const float alpha = own + share;
    if (alpha <= 0.0f) return;
    pixel = toColor((toLight(pixel) * own + toLight(ink) * share) / alpha, alpha);
}

}  // namespace

void Ink::line(const Vec2& a, const Vec2& b, double radius) {
    const double reach = radius + 1.0;
    const std::size_t left = cutTo(std::floor(std::min(a.x, b.x) - reach), width_);
    const std::size_t right = cutTo(std::ceil(std::max(a.x, b.x) + reach), width_);
    const std::size_t top = cutTo(std::floor(std::min(a.y, b.y) - reach), height_);
    const std::size_t bottom = cutTo(std::ceil(std::max(a.y, b.y) + reach), height_);
    for (std::size_t y = top; y < bottom; ++y) {
        for (std::size_t x = left; x < right; ++x) {
            const Vec2 middle{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
            const double share = radius + 0.5 - distanceToSegment(middle, a, b);
            float& most = shares_[y * width_ + x];
            most = std::max(most, static_cast<float>(std::clamp(share, 0.0, 1.0)));
        }
    }
}

void Ink::pour(const Color& color, Raster& image) const {
    const float opacity = static_cast<float>(color.a) / 255.0f;
    for (std::size_t y = 0; y < height_; ++y) {
        for (std::size_t x = 0; x < width_; ++x) {
            const float share = shares_[y * width_ + x] * opacity;
            if (share > 0.0f)
                blend(share, color, image.pixels[(top_ + y) * image.width + left_ + x]);
        }
    }
}

void drawLines(std::span<const Vec2> points, double width, const Color& color, Raster& image) {
    if (points.empty()) return;
    Vec2 low = points.front(), high = low;
    for (const Vec2& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double reach = 0.5 * width + 1.0;
    const std::size_t left = cutTo(std::floor(low.x - reach), image.width),
                      top = cutTo(std::floor(low.y - reach), image.height);
    const std::size_t right = cutTo(std::ceil(high.x + reach), image.width),
                      bottom = cutTo(std::ceil(high.y + reach), image.height);
    Ink ink(left, top, right - left, bottom - top);
    const Vec2 corner{static_cast<double>(left), static_cast<double>(top)};
    for (std::size_t i = 0; i < points.size(); ++i)
        ink.line(points[i > 0 ? i - 1 : 0] - corner, points[i] - corner, 0.5 * width);
    ink.pour(color, image);
}

void drawDot(const Vec2& middle, double radius, const Color& color, Raster& image) {
    drawLines(std::span(&middle, 1), 2.0 * radius, color, image);
}

}  // namespace ulna::draw::detail
