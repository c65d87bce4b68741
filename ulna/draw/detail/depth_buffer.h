// SPDX-License-Identifier: Apache-2.0

// DepthBuffer: which triangle is nearest, at one or several points of every pixel.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna::draw::detail {

class DepthBuffer {
  public:
    static constexpr std::uint32_t kNothing = 0xffffffffU;
    static constexpr float kFarthest = -3e38f;

    /// `samples` are points of a pixel, each in [0, 1]; they outlive the buffer. With `triangles`
    /// the buffer knows whose each depth is.
    DepthBuffer(std::size_t width, std::size_t height, std::span<const Vec2> samples,
                bool triangles);

    /// Corners in pixels, y down, with depths that grow towards the viewer. Both sides are drawn;
    /// of equal depths the first drawn stays. A triangle without area covers nothing.
    void draw(Vec3 a, Vec3 b, Vec3 c, std::uint32_t triangle);

    /// By pixel and sample.
    [[nodiscard]] std::span<const std::uint32_t> triangles() const { return triangles_; }
    [[nodiscard]] std::vector<float> takeDepths() && { return std::move(depths_); }

  private:
    std::size_t width_, height_;
    std::span<const Vec2> samples_;
    std::vector<float> depths_;
    std::vector<std::uint32_t> triangles_;
};

}  // namespace ulna::draw::detail
