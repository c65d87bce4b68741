// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/depth_buffer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ulna::draw::detail {
namespace {

// A function of the place that is linear: an edge's, positive inside, or the depth.
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
    const double begin = std::clamp(std::floor(low), 0.0, most);
    const double end = std::clamp(std::floor(high) + 1.0, begin, most);
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
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
        for (std::size_t column = columns.begin; column < columns.end; ++column) {
            const double x = static_cast<double>(column), y = static_cast<double>(row);
            const std::array<double, 3> e{edges[0](x, y), edges[1](x, y), edges[2](x, y)};
            if (e[0] + edges[0].reach() < 0.0 || e[1] + edges[1].reach() < 0.0 ||
                e[2] + edges[2].reach() < 0.0) {
                continue;
            }
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
