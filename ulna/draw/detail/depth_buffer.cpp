// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/depth_buffer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ulna::draw::detail {
namespace {

// A linear function of the position: an edge's, positive inside, or the depth.
struct Linear {
    double at_origin = 0, dx = 0, dy = 0;

    [[nodiscard]] double operator()(double x, double y) const {
        return at_origin + dx * x + dy * y;
    }
    // The most it grows within a pixel.
    [[nodiscard]] double reach() const { return std::max(dx, 0.0) + std::max(dy, 0.0); }
};

Linear edge(const Vec3& a, const Vec3& b) {
    const double dx = a.y - b.y, dy = b.x - a.x;
    return {-(dx * a.x + dy * a.y), dx, dy};
}

struct Span {
    std::size_t begin = 0, end = 0;
};

// Pixels that [low, high] touches, of `count`.
Span pixels(double low, double high, std::size_t count) {
    const double most = static_cast<double>(count);
    if (!(high >= 0.0 && low < most)) return {};
    return {static_cast<std::size_t>(std::max(low, 0.0)),
            static_cast<std::size_t>(std::min(high + 1.0, most))};
}

// The pixels of a row that a triangle may touch, of `columns`, with one to spare on either side.
Span within(const std::array<Linear, 3>& edges, double y, const Span& columns) {
    double low = static_cast<double>(columns.begin), high = static_cast<double>(columns.end);
    for (const Linear& e : edges) {
        // Where in the row the edge's largest value within a pixel is 0.
        const double at = -(e(0.0, y) + e.reach()) / e.dx;
        if (e.dx > 0.0) low = std::max(low, at - 1.0);
        if (e.dx < 0.0) high = std::min(high, at + 2.0);
    }
    if (!(low < high)) return {};
    return {static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
}

}  // namespace

DepthBuffer::DepthBuffer(std::size_t width, std::size_t height, std::span<const Vec2> samples,
                         bool triangles)
    : width_(width),
      height_(height),
      samples_(samples),
      depths_(width * height * samples.size(), kFarthest),
      triangles_(triangles ? depths_.size() : 0, kNothing) {}

void DepthBuffer::draw(Vec3 a, Vec3 b, Vec3 c, std::uint32_t triangle) {
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(std::abs(area) > 0.0) || !std::isfinite(area)) return;
    if (area < 0.0) std::swap(b, c);
    const Span rows = pixels(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), height_);
    const Span columns = pixels(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}), width_);
    if (rows.begin == rows.end || columns.begin == columns.end) return;

    const std::array<Linear, 3> edges{edge(b, c), edge(c, a), edge(a, b)};
    const double whole = std::abs(area);
    Linear depth;
    depth.dx = (edges[0].dx * a.z + edges[1].dx * b.z + edges[2].dx * c.z) / whole;
    depth.dy = (edges[0].dy * a.z + edges[1].dy * b.z + edges[2].dy * c.z) / whole;
    depth.at_origin = a.z - depth.dx * a.x - depth.dy * a.y;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const auto y = static_cast<double>(row);
        const Span inside = within(edges, y, columns);
        for (std::size_t column = inside.begin; column < inside.end; ++column) {
            const auto x = static_cast<double>(column);
            const std::array<double, 3> e{edges[0](x, y), edges[1](x, y), edges[2](x, y)};
            const std::size_t first = (row * width_ + column) * samples_.size();
            for (std::size_t s = 0; s < samples_.size(); ++s) {
                const auto [sx, sy] = samples_[s];
                // The edges belong to both sides, so that neighbours leave no gap.
                if (e[0] + edges[0].dx * sx + edges[0].dy * sy < 0.0 ||
                    e[1] + edges[1].dx * sx + edges[1].dy * sy < 0.0 ||
                    e[2] + edges[2].dx * sx + edges[2].dy * sy < 0.0) {
                    continue;
                }
                const auto z = static_cast<float>(depth(x + sx, y + sy));
                if (!(z > depths_[first + s])) continue;
                depths_[first + s] = z;
                if (!triangles_.empty()) triangles_[first + s] = triangle;
            }
        }
    }
}

}  // namespace ulna::draw::detail
